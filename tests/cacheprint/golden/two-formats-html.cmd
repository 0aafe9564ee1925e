cacheprint --html=page --csv
