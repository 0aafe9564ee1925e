runtime: $(LIB)/cacheprof.o
$(LIB)/cacheprof.o:
	@mkdir -p $(@D)
