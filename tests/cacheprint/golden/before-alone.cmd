cacheprint --before=v1
