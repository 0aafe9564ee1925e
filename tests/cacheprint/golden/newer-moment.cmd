mkdir moment && cp src/newer.c moment && touch -d '2024-01-02 00:00:00.5' moment/newer.c
cacheprint -f newer.out --map=src=moment newer.c | grep -c 'found as'
touch -d '2024-01-02' moment/newer.c
cacheprint -f newer.out --map=src=moment newer.c | grep -c 'found as'
