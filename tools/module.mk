# What is done around the build: the system's packages, the demonstration, installation.
setup:
	$(Q)tools/setup

demo: setup
	$(Q)$(MAKE) --no-print-directory all
	$(Q)BUILD='$(ABSOLUTE_BUILD)' tools/demo

deb:
	$(Q)tools/deb '$(BUILD)'

lint:
	$(Q)tools/lint

# The parts find one another by these places relative to bin/, as they do in build/.
AT := $(DESTDIR)$(PREFIX)
MANUALS := $(wildcard docs/*.1)
FORMATS := $(wildcard docs/*.5)
DOCUMENTS := $(wildcard docs/*.md)
COMPLETIONS := $(wildcard tools/completions/*)

install: all
	install -d '$(AT)/bin' '$(AT)/libexec/cacheprof' '$(AT)/lib/cacheprof' '$(AT)/share/man/man1' '$(AT)/share/man/man5' \
		'$(AT)/share/bash-completion/completions' '$(AT)/share/doc/cacheprof' '$(AT)/include'
	install -m 755 $(BIN)/cacheprof $(BIN)/cacheprint $(BIN)/cachegen '$(AT)/bin'
	install -m 755 $(LIBEXEC)/instead-of-as '$(AT)/libexec/cacheprof'
	install -m 644 $(LIB)/*.[ao] '$(AT)/lib/cacheprof'
	install -m 644 $(MANUALS) '$(AT)/share/man/man1'
	install -m 644 $(FORMATS) '$(AT)/share/man/man5'
	install -m 644 $(DOCUMENTS) '$(AT)/share/doc/cacheprof'
	install -m 644 $(COMPLETIONS) '$(AT)/share/bash-completion/completions'
	install -m 644 include/cacheprof.h '$(AT)/include'

# Leaves nothing behind, directories that are empty then included.
uninstall:
	rm -rf '$(AT)/libexec/cacheprof' '$(AT)/lib/cacheprof' '$(AT)/share/doc/cacheprof'
	rm -f $(patsubst %,'$(AT)/bin/%',cacheprof cacheprint cachegen) \
		$(patsubst docs/%,'$(AT)/share/man/man1/%',$(MANUALS)) \
		$(patsubst docs/%,'$(AT)/share/man/man5/%',$(FORMATS)) \
		$(patsubst tools/%,'$(AT)/share/bash-completion/%',$(COMPLETIONS)) \
		'$(AT)/include/cacheprof.h'
	$(Q)tools/remove-empty '$(DESTDIR)' '$(PREFIX)'

# Takes an hour; see bench/run. PROGRAMS="lua matmul" for some of it only.
bench: setup
	$(Q)tools/setup bench/packages.txt || echo "bench: what needs them is skipped" >&2
	$(Q)$(MAKE) --no-print-directory all
	$(Q)BUILD='$(ABSOLUTE_BUILD)' bench/run $(PROGRAMS)
