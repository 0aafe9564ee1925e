CACHEPRINT_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out cacheprint/main.c,$(wildcard cacheprint/*.c))) \
	$(OBJ)/cacheprint/assets.o $(OBJ)/cacheprint/libiberty.o
CACHEPRINT_LIBS := -lpcre2-8 -ldw -lelf

$(BIN)/cacheprint: $(OBJ)/cacheprint/main.o $(CACHEPRINT_OBJ) $(COMMON_OBJ)
	$(call link,$^,$(CACHEPRINT_LIBS))

$(OBJ)/cacheprint/assets.o: cacheprint/assets.S $(wildcard cacheprint/html/*)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS      $<")
	$(Q)$(CC) -c -o $@ $<

# libiberty's demangler, with its own xmalloc family hidden (demangle.c says why).
DEMANGLERS := cplus_demangle ada_demangle
$(OBJ)/cacheprint/libiberty.o:
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib $(DEMANGLERS:%=-Wl,-u,%) -o $@.all -liberty
	$(Q)objcopy $(DEMANGLERS:%=--keep-global-symbol=%) $@.all $@
	$(Q)rm -f $@.all

# Its tests link with its own objects and libraries only.
$(BUILD)/tests/cacheprint/%: $(OBJ)/tests/cacheprint/%.o $(CACHEPRINT_OBJ) $(COMMON_OBJ)
	$(call link,$^,-lcheck -lsubunit -lm -lrt -lpthread $(CACHEPRINT_LIBS))
