cacheprint --context=x
