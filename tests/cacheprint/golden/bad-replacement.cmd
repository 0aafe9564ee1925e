cacheprint -f two.out '--mod-filename=s/u/$9/'
