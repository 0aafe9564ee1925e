# The runtime, linked into the user's programs: one relocatable object, cacheprof.o, and what stands before
# functions of libc, ends.a. Programs that show each instruction have show.o too, and who is shown:
# selfcheck.o with --self-check, trace.o with --trace. It is compiled with flags of its own, none from the
# user or for the tools: no general-purpose library, no vector registers (planted code saves none
# for it), nothing that shows in the user's debug information. It is not marked for a shadow stack: a
# stub may change where it returns to.
#
# CACHE="SIZE LINE ASSOC" makes cachegen write the D1 cache; without it runtime/cachesim_doref.c is
# taken, which a user may overwrite with cachegen's output and then `make cachesim`.
RUNTIME_DIR := $(BUILD)/runtime
RUNTIME_CFLAGS := -std=gnu17 -O2 $(WARN) -D_GNU_SOURCE -ffreestanding -fno-builtin -fPIC -fvisibility=hidden \
	-include runtime/hidden.h -ftls-model=initial-exec -fno-stack-protector -mgeneral-regs-only \
	-fcf-protection=none -fno-tree-loop-distribute-patterns -fno-lto -fno-reorder-functions \
	-fno-reorder-blocks-and-partition -I. -MMD -MP
RUNTIME_SFLAGS := -fcf-protection=none -I. -MMD -MP

# The least of a set's times is that of pairs, of which the processor looks at several at once: gcc makes a chain of it.
$(BUILD)/runtime/i1.o $(BUILD)/runtime/i1.shared.o: RUNTIME_CFLAGS += -fno-tree-reassoc

# The members of ends.a, one a row of libc.def, are all of one source.
RUNTIME_SRC := $(filter-out runtime/libc_%,$(wildcard runtime/*.c runtime/*.S))
LIBC_NAMES := $(shell sed -n 's/^[A-Z]*.\([A-Za-z_0-9]*\), cacheprof_.*/\1/p' include/libc.def)
LIBC_OBJ := $(patsubst %,$(RUNTIME_DIR)/libc/%.o,$(LIBC_NAMES))
SHOWING := show selfcheck trace
SHOWING_OBJ := $(patsubst runtime/%,$(RUNTIME_DIR)/%.o,$(basename $(wildcard $(SHOWING:%=runtime/%*.[cS]))))
RUNTIME_OBJ := $(filter-out $(SHOWING_OBJ),$(patsubst runtime/%,$(RUNTIME_DIR)/%.o,$(basename $(RUNTIME_SRC))))

# The same for shared objects; see CACHEPROF_SHARED in slow_x86_64.S and models.h.
SHARED_OBJ := $(RUNTIME_OBJ:.o=.shared.o)

runtime: $(LIB)/cacheprof.o $(LIB)/cacheprof_shared.o $(LIB)/ends.a $(SHOWING:%=$(LIB)/%.o)

# cachesim_doref is a name for cachegen and the runtime; the user's program never sees it. Its variables lie
# behind the program's .bss, whose place they would change with their alignment if they were part of it. So would code
# the place of the program's own: of the linker's start files it has 16, and gcc aligns loops to 64 from 15 on.
AS_START_FILES := --set-section-alignment .text=16
$(LIB)/cacheprof.o: $(RUNTIME_OBJ)
$(LIB)/cacheprof_shared.o: $(SHARED_OBJ)
$(LIB)/cacheprof.o $(LIB)/cacheprof_shared.o:
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) -r -nostdlib -o $@.tmp $^
	$(Q)objcopy --localize-symbol=cachesim_doref --rename-section .bss=cacheprof_state $(AS_START_FILES) $@.tmp
	$(Q)mv $@.tmp $@

$(LIB)/show.o: $(filter $(RUNTIME_DIR)/show%,$(SHOWING_OBJ))
$(LIB)/selfcheck.o: $(RUNTIME_DIR)/selfcheck.o
$(LIB)/trace.o: $(RUNTIME_DIR)/trace.o
$(SHOWING:%=$(LIB)/%.o):
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) -r -nostdlib -o $@.tmp $^
	$(Q)objcopy $(AS_START_FILES) $@.tmp
	$(Q)mv $@.tmp $@

$(LIB)/ends.a: $(LIBC_OBJ)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AR      $@")
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(LIBC_OBJ): $(RUNTIME_DIR)/libc/%.o: runtime/libc_x86_64.S include/libc.def runtime/module.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS      $< $*")
	$(Q)$(CC) $(RUNTIME_SFLAGS) -DMEMBER=$* -c -o $@ $<

$(RUNTIME_DIR)/%.o: runtime/%.c runtime/module.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $< (runtime)")
	$(Q)$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<

$(RUNTIME_DIR)/%.o: runtime/%.S runtime/module.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS      $<")
	$(Q)$(CC) $(RUNTIME_SFLAGS) -c -o $@ $<

$(RUNTIME_DIR)/%.shared.o: runtime/%.c runtime/module.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $< (shared runtime)")
	$(Q)$(CC) $(RUNTIME_CFLAGS) -DCACHEPROF_SHARED -c -o $@ $<

$(RUNTIME_DIR)/%.shared.o: runtime/%.S runtime/module.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS      $< (shared)")
	$(Q)$(CC) $(RUNTIME_SFLAGS) -DCACHEPROF_SHARED -c -o $@ $<

# The file `cache` holds what CACHE was, and is only touched when that changes.
$(RUNTIME_DIR)/cache: always
	@mkdir -p $(@D)
	@echo '$(CACHE)' | cmp -s - $@ || echo '$(CACHE)' >$@
.PHONY: always

$(RUNTIME_DIR)/cachesim_doref.c: $(RUNTIME_DIR)/cache $(if $(CACHE),$(BIN)/cachegen,runtime/cachesim_doref.c)
	$(Q)$(if $(CACHE),$(BIN)/cachegen $(CACHE),cat runtime/cachesim_doref.c) >$@.tmp
	$(Q)mv $@.tmp $@

$(RUNTIME_DIR)/cachesim_doref.o $(RUNTIME_DIR)/cachesim_doref.shared.o: $(RUNTIME_DIR)/cachesim_doref.c runtime/module.mk
	$(if $(V),,@echo "  CC      $(if $(CACHE),cachegen $(CACHE),runtime/cachesim_doref.c) (runtime)")
	$(Q)$(CC) $(RUNTIME_CFLAGS) -c -o $@ $<

cachesim: $(LIB)/cacheprof.o $(LIB)/cacheprof_shared.o
cleancache:
	rm -f $(LIB)/cacheprof.o $(LIB)/cacheprof_shared.o $(RUNTIME_DIR)/cachesim_doref.* $(RUNTIME_DIR)/cache

-include $(wildcard $(RUNTIME_DIR)/*.d)

# The unit tests take what they need from the same sources, compiled as the tools are.
$(OBJ)/runtime/host.a: $(patsubst runtime/%.c,$(OBJ)/runtime/%.o,$(filter-out $(SHOWING:%=runtime/%.c),$(wildcard runtime/*.c)))
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/tests/runtime/%: $(OBJ)/tests/runtime/%.o $(OBJ)/runtime/host.a
	$(call link,$^,-lcheck -lsubunit -lm -lrt -lpthread)
