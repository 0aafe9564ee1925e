cacheprint --gate 'D1m <= +1%' v2.out v1.out --json
