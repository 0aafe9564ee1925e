cacheprint --diff v1.out past.out
