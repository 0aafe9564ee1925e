# What `make deb` packages: its version and what it is built from are the project's. The package itself
# is made and tried by hand (make deb; tests/real/deb).
. "$(dirname "$0")/../tap.sh"
version_agrees() { head -n 1 "$TOP/debian/changelog" | grep -qF "cacheprof ($(cat "$TOP/VERSION"))"; }
check "debian/changelog has the version of VERSION" version_agrees

# Build-Depends are the packages that build it, without those that every Debian builds with.
build_depends() {
	sed -n '/^Build-Depends:/,/^$/p' "$TOP/debian/control" | tr ',' '\n' |
		sed -E 's/^Build-Depends://; s/\(.*//; s/ //g; /^$/d; /^debhelper-compat/d' | sort
}
packages() {
	sed -n '/^check /q; s/[[:space:]].*//; /^#/d; /^$/d; p' "$TOP/tools/packages.txt" |
		grep -vxE 'gcc|make|binutils|libc6-dev' | sort
}
check "Build-Depends are those of tools/packages.txt" diff <(build_depends) <(packages)
installed_where_listed() { while read -r f; do [ -e "$TOP/$f" ] || return 1; done <"$TOP/debian/docs"; }
check "the documents are there" installed_where_listed
check "the copyright has the exception" bash -c \
	"grep -q 'unlimited permission to link' '$TOP/debian/copyright'"
finish
