# A unit test is tests/MODULE/test_NAME.c (check, TAP on stdout), linked with all tool modules; an
# end-to-end test is tests/e2e/NAME.t.sh (TAP on stdout). tests/run runs them all and adds them up.
TEST_OBJ := $(COMMON_OBJ) $(ASMPARSE_OBJ) $(INSTRUMENT_OBJ) $(CACHEGEN_OBJ)
TEST_HELPERS += $(BUILD)/tests/oracle/plainsim
TEST_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c)) $(TEST_HELPERS)

$(BUILD)/tests/%: $(OBJ)/tests/%.o $(TEST_OBJ)
	$(call link,$^,-lcheck -lsubunit -lm -lrt -lpthread -lZydis -lelf)

# The plain simulator stands alone: nothing is linked with it.
$(BUILD)/tests/oracle/plainsim: $(OBJ)/tests/oracle/plainsim.o
	$(call link,$^,)

# The tools leave their memory to the end of the process.
ifneq ($(SAN),)
check: export ASAN_OPTIONS ?= detect_leaks=0
endif
check: setup
	$(Q)$(MAKE) --no-print-directory all $(TEST_BIN)
	$(Q)BUILD='$(ABSOLUTE_BUILD)' tests/run $(TESTS)

# Real programs, from Debian's source packages; REAL="bzip2 lua" for some of them only.
.PHONY: check-real
check-real: setup
	$(Q)$(MAKE) --no-print-directory all $(TEST_BIN)
	$(Q)BUILD='$(ABSOLUTE_BUILD)' tests/real/newer-valgrind || true
	$(Q)BUILD='$(ABSOLUTE_BUILD)' tests/run readers cacheprint_real
	$(Q)BUILD='$(ABSOLUTE_BUILD)' tests/real/run $(REAL)
