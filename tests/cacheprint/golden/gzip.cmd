gzip -c two.out >two.out.gz; cacheprint -f two.out.gz
