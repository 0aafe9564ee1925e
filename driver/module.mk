DRIVER_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out driver/main.c,$(wildcard driver/*.c)))

$(BIN)/cacheprof: $(OBJ)/driver/main.o $(DRIVER_OBJ) $(COMMON_OBJ)
	$(call link,$^,)
