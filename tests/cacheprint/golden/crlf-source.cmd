mkdir dos && sed 's/$/\r/' src/traverse.c >dos/traverse.c && touch -d 2024-01-01 dos/traverse.c
cacheprint -f level2.out --map=/home/me/src=dos --show=Ir traverse.c | sed -n '/^---/,$p'
