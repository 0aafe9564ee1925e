INSTRUMENT_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out instrument/main.c,$(wildcard instrument/*.c)))

$(LIBEXEC)/instead-of-as: $(OBJ)/instrument/main.o $(INSTRUMENT_OBJ) $(ASMPARSE_OBJ) $(COMMON_OBJ)
	$(call link,$^,-lZydis -lelf)
