cacheprint -f level2.out --auto --strip=3 -I src
