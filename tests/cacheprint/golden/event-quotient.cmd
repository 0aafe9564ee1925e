cacheprint -f level2.out --event=each=D1m/2 --event=rare=D1m/Ir --show=each,rare --threshold=0 | sed -n '/FUNCTION/,$p'
