sed 's/49152 B, 64 B, 12-way/16384 B, 64 B, 4-way/' v1.out >other.out
cacheprint --gate 'Ir <= +1%' v1.out other.out
cacheprint --diff v1.out other.out --json >json
