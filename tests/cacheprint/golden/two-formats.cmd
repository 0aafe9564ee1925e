cacheprint --json --csv
