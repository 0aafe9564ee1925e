sed 's/$/\r/' two.out >crlf.out; cacheprint -f crlf.out
