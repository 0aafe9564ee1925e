cacheprint --nonsense
