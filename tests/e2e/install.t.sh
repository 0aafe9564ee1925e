# make install and make uninstall, and the installed tools at work.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROFDIR MAKEFLAGS MAKELEVEL

in_top() {
	make -s -C "$TOP" -o all BUILD="$BUILD" "$@"
}
file_list() {
	(cd "$1" && find . -type f | sort)
}
check "make install DESTDIR= PREFIX=" in_top install DESTDIR="$T/a root" PREFIX=/opt/cache
installed="$T/a root/opt/cache"
for part in bin/cacheprof bin/cacheprint bin/cachegen libexec/cacheprof/instead-of-as; do
	check "$part is installed" test -x "$installed/$part"
done
for part in lib/cacheprof/cacheprof.o include/cacheprof.h share/man/man1/cacheprof.1 \
	share/man/man5/cacheprof.out.5 share/man/man5/cacheprof-trace.5 \
	share/bash-completion/completions/cacheprof share/bash-completion/completions/cacheprint; do
	check "$part is installed" test -r "$installed/$part"
done
echo 'int main(void) { return 0; }' >foo.c
finds_parts() {
	PATH="$installed/bin:$PATH" cacheprof --dryrun gcc foo.c >out &&
		grep -qF "'-B$installed/libexec/cacheprof/instead-of-'" out &&
		grep -qF "'$installed/lib/cacheprof/cacheprof.o'" out
}
check "the tools find one another where they are" finds_parts
check "... and work" env PATH="$installed/bin:$PATH" cacheprof gcc foo.c -o foo
check "make uninstall" in_top uninstall DESTDIR="$T/a root" PREFIX=/opt/cache
check "... leaves nothing behind" rmdir "$T/a root"

mkdir -p shared/bin shared/share && touch shared/bin/other
check "make install into a PREFIX with other things" in_top install PREFIX="$T/shared"
check "make uninstall" in_top uninstall PREFIX="$T/shared"
check "... leaves those" test "$(file_list shared)" = ./bin/other
# What depends on what was noted by names that began with BUILD as make had it then.
compiles() { make -s -n -C "$TOP" -W include/site.h BUILD="$1" | grep -qF "runtime/threads.c"; }
remade() { make -s -n -C "$TOP" -W "$1" BUILD="$BUILD" | grep -qF "$2"; }
check "another VERSION" remade VERSION cacheprint/options.c
# The tree at a path with a blank.
in_blank_path() {
	mkdir -p "a b/tests" && cp "$TOP/tests/module.mk" "a b/tests" && cp -r "$TOP"/{Makefile,VERSION,include} "a b" &&
		cp -r "$TOP"/{common,asmparse,instrument,driver,cacheprint,cachegen,runtime,tools} "a b" &&
		env -u BUILD make -s -C "a b" build/bin/cachegen && "a b/build/bin/cachegen" --version &&
		make -s -C "a b" BUILD="$T/a b/build/" build/bin/cachegen && [ "$(ls -d "a b"/build)" = "a b/build" ]
}
check "a tree whose path has a blank" in_blank_path
check "a build tree elsewhere whose path has one is refused" bash -c \
	'! make -n -C "$1" BUILD="$2/x y" 2>err && grep -q "cannot have a blank" err' . "$TOP" "$T"
check "a header that changes, with BUILD spelled in two ways" eval 'compiles "$BUILD" && compiles "$BUILD/../${BUILD##*/}"'
finish
