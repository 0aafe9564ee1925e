DRIVER_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out driver/main.c,$(wildcard driver/*.c)))

$(BIN)/cacheprof: $(OBJ)/driver/main.o $(DRIVER_OBJ) $(COMMON_OBJ)
	$(call link,$^,-lelf)

# The driver and cacheann both have options and a plan: its tests link with its own objects only.
$(BUILD)/tests/driver/%: $(OBJ)/tests/driver/%.o $(DRIVER_OBJ) $(COMMON_OBJ)
	$(call link,$^,-lelf -lcheck -lsubunit -lm -lrt -lpthread)
