cacheprint --gate 'D1mr+D1mw <= +1%' v1.out v2.out
