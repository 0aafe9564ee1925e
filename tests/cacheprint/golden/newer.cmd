touch -d 2024-01-03 src/newer.c; cacheprint -f newer.out newer.c
