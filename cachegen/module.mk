CACHEGEN_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out cachegen/main.c,$(wildcard cachegen/*.c)))

$(BIN)/cachegen: $(OBJ)/cachegen/main.o $(CACHEGEN_OBJ) $(COMMON_OBJ)
	$(call link,$^,)
