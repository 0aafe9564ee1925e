# The scanner and the grammar are generated into build/asmparse and never committed.
ASMPARSE_GEN := $(BUILD)/asmparse
ASMPARSE_OBJ := $(patsubst %.c,$(OBJ)/%.o,$(wildcard asmparse/*.c)) \
	$(OBJ)/asmparse/lex.o $(OBJ)/asmparse/gram.o

$(ASMPARSE_GEN)/lex.c $(ASMPARSE_GEN)/lex.h &: asmparse/lex.l
	@mkdir -p $(@D)
	$(if $(V),,@echo "  FLEX    $<")
	$(Q)flex -o $(ASMPARSE_GEN)/lex.c --header-file=$(ASMPARSE_GEN)/lex.h $<

$(ASMPARSE_GEN)/gram.c $(ASMPARSE_GEN)/gram.h &: asmparse/gram.y
	@mkdir -p $(@D)
	$(if $(V),,@echo "  BISON   $<")
	$(Q)bison -Werror -o $(ASMPARSE_GEN)/gram.c --defines=$(ASMPARSE_GEN)/gram.h $<

$(OBJ)/asmparse/parse.o $(OBJ)/asmparse/lex.o: $(ASMPARSE_GEN)/gram.h
$(OBJ)/asmparse/parse.o: $(ASMPARSE_GEN)/lex.h

# bison counts errors that nobody asks for.
$(OBJ)/asmparse/%.o: $(ASMPARSE_GEN)/%.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $<")
	$(Q)$(CC) $(TOOL_CFLAGS) -Wno-unused-but-set-variable -c -o $@ $<

# What tests/asmparse/roundtrip.t.sh runs.
TEST_HELPERS += $(BUILD)/tests/asmparse/asmcat
$(BUILD)/tests/asmparse/asmcat: $(OBJ)/tests/asmparse/asmcat.o $(ASMPARSE_OBJ) $(COMMON_OBJ)
	$(call link,$^,)

# The fuzz targets with everything they run; clang brings libFuzzer. glibc's obstack.h counts from a null
# pointer, and uthash's sums wrap around.
FUZZ_ASMPARSE := $(wildcard asmparse/*.c common/*.c) $(ASMPARSE_GEN)/lex.c $(ASMPARSE_GEN)/gram.c
$(BUILD)/fuzz/fuzz_asmparse: tests/fuzz/fuzz_asmparse.c $(FUZZ_ASMPARSE)
$(BUILD)/fuzz/fuzz_instrument: tests/fuzz/fuzz_instrument.c $(FUZZ_ASMPARSE) \
		$(filter-out instrument/main.c,$(wildcard instrument/*.c))
$(BUILD)/fuzz/fuzz_reader: tests/fuzz/fuzz_reader.c cacheprint/reader.c common/diag.c common/mem.c
$(BUILD)/fuzz/%:
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CLANG   $@")
	$(Q)clang -std=gnu17 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-fno-sanitize=pointer-overflow -D_GNU_SOURCE -I. -I$(BUILD) -o $@ $^ \
		$(if $(findstring instrument,$@),-lZydis -lelf)
