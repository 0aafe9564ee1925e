CACHEPRINT_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out cacheprint/main.c,$(wildcard cacheprint/*.c)))

$(BIN)/cacheprint: $(OBJ)/cacheprint/main.o $(CACHEPRINT_OBJ) $(COMMON_OBJ)
	$(call link,$^,)
