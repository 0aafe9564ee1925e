# cacheprof: one Makefile, out of tree in build/.
#
#   make             the tools and the runtime, in build/
#   make check       installs what is missing, builds, runs every test
#   make demo        installs what is missing, builds, profiles examples/traverse.c
#   make install     PREFIX=/usr/local DESTDIR=
#   make deb         a Debian package, in build/deb/
#   make lint        what no compiler looks at: includes, the width of lines
#   make CACHE="32768 32 2"   another built-in D1: size, line, associativity
#   make SAN=address,undefined check   DEBUG=1   COVERAGE=1   V=1

PREFIX ?= /usr/local
BUILD ?= build
# Spelled in one way: what depends on what is kept by these names. For make a blank ends a name; one in the path of this
# tree is not to matter.
blank := $() $()
joined = $(subst $(blank),|,$(1))
override BUILD := $(patsubst $(call joined,$(CURDIR))/%,%,$(call joined,$(abspath $(call joined,$(BUILD)))))
$(if $(findstring |,$(BUILD)),$(error BUILD=$(subst |,$(blank),$(BUILD)): make cannot have a blank there))
ABSOLUTE_BUILD := $(if $(filter /%,$(BUILD)),$(BUILD),$(CURDIR)/$(BUILD))
CC ?= gcc
VERSION := $(shell cat VERSION)

Q := $(if $(V),,@)
WARN := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes
OPT := $(if $(DEBUG),-O0 -g3,-O2 -g)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
COVFLAGS := $(if $(COVERAGE),--coverage)
CFLAGS ?=
TOOL_CFLAGS := -std=gnu17 $(OPT) $(WARN) $(SANFLAGS) $(COVFLAGS) -D_GNU_SOURCE \
	-DCACHEPROF_VERSION='"$(VERSION)"' -I. -I$(BUILD) -MMD -MP $(CFLAGS)
TOOL_LDFLAGS := $(SANFLAGS) $(COVFLAGS) $(LDFLAGS)

BIN := $(BUILD)/bin
LIB := $(BUILD)/lib/cacheprof
LIBEXEC := $(BUILD)/libexec/cacheprof
OBJ := $(BUILD)/obj

all: tools runtime
.PHONY: all tools runtime check demo install uninstall clean cachesim cleancache lint bench setup deb

include common/module.mk
include asmparse/module.mk
include instrument/module.mk
include driver/module.mk
include cacheprint/module.mk
include cachegen/module.mk
include runtime/module.mk
include tests/module.mk
include tools/module.mk

tools: $(BIN)/cacheprof $(BIN)/cacheprint $(BIN)/cachegen $(LIBEXEC)/instead-of-as

# What says the version is made again with it.
$(patsubst %.c,$(OBJ)/%.o,$(shell grep -ls CACHEPROF_VERSION */*.c)): VERSION

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $<")
	$(Q)$(CC) $(TOOL_CFLAGS) -c -o $@ $<

# The objects of tests are steps on the way for make, and would be removed and made again each time.
.PRECIOUS: $(OBJ)/%.o

# $(call link,inputs,libraries)
define link
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LINK    $@")
	$(Q)$(CC) $(TOOL_LDFLAGS) -o $@ $(1) $(2)
endef

clean:
	rm -rf $(BUILD)

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
