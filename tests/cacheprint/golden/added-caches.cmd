sed 's/49152 B, 64 B, 12-way/16384 B, 64 B, 4-way/' v1.out >other.out
cacheprint -f v1.out -f v1.out -f other.out | head -n 5
