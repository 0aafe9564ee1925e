# expat: its tests, and documents of its own of up to 35 MB, parsed and written again by xmlwf. Tables of functions for
# each encoding, macros that stop in the middle of a character.
package=expat
ran="runtests, xmlwf with its documents and with one of 5 MB in four encodings"
flags=(-O2 "-O3 -march=native")
needs=cmake
clang=

build() {
	CXXFLAGS=$CFLAGS cmake -S expat -B . -D EXPAT_SHARED_LIBS=OFF -D EXPAT_BUILD_DOCS=OFF -D EXPAT_BUILD_EXAMPLES=OFF &&
		make -s -j2
}

# document: one in UTF-8, of the words of $data, with all that a document may have.
document() {
	awk 'BEGIN {
		print "<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE text [\n<!ELEMENT text (line|none)*>"
		print "<!ATTLIST line n CDATA #REQUIRED kind (odd|even) \"odd\" words NMTOKENS #IMPLIED id ID #IMPLIED>"
		print "<!ENTITY word \"a <b>word</b> of &#228;&#246;&#8364;\">\n<!ENTITY twice \"&word; and &word;\">"
		print "<!NOTATION gif SYSTEM \"gif\">\n<!ENTITY picture SYSTEM \"picture.gif\" NDATA gif>\n]>"
		print "<text xmlns=\"urn:text\" xmlns:p=\"urn:other\">"
	}
	{ printf "<line n=\"%d\" id=\"i%d\"%s>", NR, NR, NR % 3 ? "" : " kind=\"even\" words=\"  " $1 "  " $2 " \"" }
	NR % 5 == 0 { printf "<p:word p:of=\"&lt;%s&gt;\">%s</p:word>", $1, $2 }
	NR % 7 == 0 { printf "<![CDATA[<%s> & ]] %s]]>", $1, $2 }
	NR % 11 == 0 { printf "<!-- %s --><?do %s?>&#x%x;", $1, $2, 192 + NR % 10000 }
	NR % 101 == 0 { printf "&twice;" }
	NR % 4 == 0 { printf "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80" }
	{ print $0 "</line>" }
	END { print "</text>" }'
}

# parsed OPTION... FILE: what comes out, and if it is well-formed
parsed() {
	echo "${*##*/}" && rm -rf out && mkdir out && xmlwf/xmlwf -d out "$@"
	echo "status $?"
	cat out/* 2>&1 | cksum
}

exercise() {
	local file name
	if [ "$size" = large ]; then
		tests/runtests | sed 's/, [0-9.]* seconds//' && set -- testdata/largefiles/*.*[lf]
	else
		set --
	fi
	head -c 3000000 "$data/$size" | document >utf8.xml
	for name in UTF-16LE UTF-16BE; do
		iconv -f UTF-8 -t $name utf8.xml | cat <(printf '\xef\xbb\xbf' | iconv -f UTF-8 -t $name) - >$name.xml
	done
	sed 's/version="1.0"/& encoding="ISO-8859-1"/' utf8.xml >latin.xml
	sed '$d' utf8.xml >open.xml && sed '100s/&lt;/</' utf8.xml >broken.xml
	for file in "$@" *.xml; do parsed "$file"; done
	parsed -c utf8.xml && parsed -n latin.xml && parsed -m utf8.xml && parsed -N UTF-16LE.xml && parsed -t utf8.xml &&
		parsed -s utf8.xml && parsed -r -x utf8.xml && parsed -e iso-8859-1 utf8.xml && parsed -p utf8.xml &&
		parsed -a 1.001 -b 1000 utf8.xml
}

tally() {
	echo "$(sed -n 's/^100%: //p' "$1"), $(grep -c '^status' "$1") documents"
}

# Without names of which two could share a place in a table: how they are hashed is random. Without output: in
# Cachegrind the branches of putc() are in the history, too (Bcm: 1.5 % of Bc).
oracle() {
	{ echo "<a>" && head -c 40000 "$data/small" | awk '{ print "<a>&lt;" $0 "<!-- " $1 " --></a>" }' && echo "</a>"; } \
		>"$work/small.xml" && iconv -f UTF-8 -t UTF-16 "$work/small.xml" >"$work/wide.xml" &&
		equal xmlwf/xmlwf -t "$work/small.xml" && equal xmlwf/xmlwf -r -t "$work/wide.xml"
}
