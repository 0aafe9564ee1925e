CACHEGEN_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(filter-out cachegen/main.c,$(wildcard cachegen/*.c)))

# The simulator's text as a string literal.
$(BUILD)/cachegen/simulator.inc: cachegen/simulator.c.in
	@mkdir -p $(@D)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< >$@

$(OBJ)/cachegen/generate.o: $(BUILD)/cachegen/simulator.inc

$(BIN)/cachegen: $(OBJ)/cachegen/main.o $(CACHEGEN_OBJ) $(COMMON_OBJ)
	$(call link,$^,)
