cacheprint --gate 'D1m <= +1%' v2.out v1.out --before v2 -I v1 --mod-filename=s,/v./,/, --markdown
