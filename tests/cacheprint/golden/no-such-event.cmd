cacheprint -f two.out --show=Ir,Foo
