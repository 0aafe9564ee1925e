cacheprint --gate 'D1m <= +1%' v1.out v2.out traverse.c
echo "$?"
cacheprint --gate 'D1m <= +1%' v1.out v2.out --auto --markdown
