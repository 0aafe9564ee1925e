cacheprint -f two.out --mod-filename=s,/build/.,/src, --mod-funcname=s/help/work/ --mod-funcname=s/er$/ing/
