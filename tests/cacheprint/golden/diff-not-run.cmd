sed '/b.util.c/,/^1 /d; s/25 1 1/18 1 0/' two.out >part.out
touch -d 2024-01-02 part.out
cacheprint --diff two.out part.out b/util.c -I include | sed -n '/^---/,$p'
cacheprint --diff two.out part.out b/util.c --before=include | sed -n '/^---/,$p'
touch -d 2024-01-03 include/b/util.c
cacheprint --diff two.out part.out b/util.c -I include 2>&1 | sed -n '/^---/,$p'
touch -d 2024-01-01 include/b/util.c
