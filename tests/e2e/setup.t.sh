# tools/setup on systems of every kind: a PATH with nothing in it but what the system has, where apt-get,
# dpkg-query, sudo and id only stand in and write down how they were called.
. "$(dirname "$0")/../tap.sh"
mkdir -p project/tools bin
cp "$TOP/tools/setup" project/tools
cat >project/tools/packages.txt <<END
# a comment
alpha   sh                      # a package and its command

beta    nonesuch                # a command that is not there
gamma   /nonesuch/gamma.h       # a header that is not there
END
for tool in sh sed dirname env cat; do ln -s "$(command -v $tool)" bin; done

# stub NAME: a command that logs its arguments and does what the standard input says.
stub() {
	{ echo '#!/bin/sh'; echo "echo \"$1 \$*\" >>'$T/log'"; cat; } >"bin/$1"
	chmod +x "bin/$1"
}
# system UID TOOL...: the tools that there are, besides the plain ones.
system() {
	local user=$1 tool
	shift
	rm -f bin/apt-get bin/dpkg-query bin/sudo bin/id log installed
	echo "echo $user" | stub id
	for tool; do
		case $tool in
		apt-get) echo "case \" \$* \" in *' install '*) : >'$T/installed' ;; esac" ;;
		dpkg-query) echo "case \$* in *alpha) ;; *) [ -e '$T/installed' ] || exit 1 ;; esac
			printf installed" ;;
		sudo) echo 'exec "$@"' ;;
		esac | stub "$tool"
	done
}
setup() {
	PATH=$T/bin "$T/bin/sh" project/tools/setup >out 2>&1
}
# called WORDS: some stub was called so.
called() {
	grep -qF -e "$1" log
}
# stops WORDS: setup fails with these words, and installs nothing.
stops() {
	! setup && grep -qF -e "$1" out && ! called " install "
}

system 0 apt-get dpkg-query
check "as root, what is missing is installed" setup
check "... by apt" called "install -y --no-install-recommends beta gamma"
check "... from fresh lists" called "update"
check "... and named" grep -qx 'setup: installing beta gamma' out
rm log
check "then all is there" setup
check "... without a word" test ! -s out
check "... and without apt" fails called apt-get
system 1000 apt-get dpkg-query sudo
check "otherwise through sudo" setup
check "... which runs apt" called "sudo env DEBIAN_FRONTEND=noninteractive apt-get"
system 1000 apt-get dpkg-query
check "without root and sudo it stops and says what to run" stops "apt-get install beta gamma"
system 0 dpkg-query
check "without apt it stops and names what to install" stops "these are missing: beta gamma"
system 0
check "without dpkg it looks for the commands and headers" stops "these are missing: beta gamma"
system 0
sed -i '/nonesuch/d' project/tools/packages.txt
check "... and is content when they are there" setup
broken() {
	echo 'delta nonesuch' >>project/tools/packages.txt
	system 0 apt-get dpkg-query
	echo 'exit 100' | stub apt-get
	! setup && grep -q 'these are missing: delta' out
}
check "an apt that fails is an error" broken
echo 'epsilon nonesuch' >project/other.txt
other_list() {
	! PATH=$T/bin "$T/bin/sh" project/tools/setup other.txt >out 2>&1 && grep -q 'these are missing: epsilon' out
}
check "another list may be named" other_list
for list in tools bench; do
	check "$list/packages.txt has a package, a sign and a purpose in each row" \
		fails grep -vE '^(#.*|[a-z0-9+.-]+ +[^ ]+ +# .+|)$' "$TOP/$list/packages.txt"
done
finish
