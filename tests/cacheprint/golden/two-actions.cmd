cacheprint --diff --merge
