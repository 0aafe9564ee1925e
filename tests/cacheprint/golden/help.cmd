cacheprint --help
