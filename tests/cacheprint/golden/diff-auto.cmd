cacheprint --diff -f v1.out v2.out --auto --map=/home/me=. --mod-filename=s/v1/v2/ --before=v1 --sort=Dw --show=Dw --threshold=0
