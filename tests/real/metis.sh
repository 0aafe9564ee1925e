# metis: parts of its graphs and its mesh, orders of elimination: C that goes through graphs.
package=metis
ran="its graphs, its mesh: parts in five ways, orders in two"
flags=(-O2 "-O3 -march=native")
needs=cmake
clang=

build() {
	make config && cmake -S . -B made -DGKLIB_PATH="$PWD/GKlib" -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$CFLAGS" &&
		make -s -j2 -C made
}

# made FILE TOOL ARGUMENT...: what the tool says but for times, memory and itself; what it writes there.
made() {
	echo "${*:2}" && "made/programs/$2" "${@:3}" >metis.log
	echo "status $?" && grep -vE 'sec|time|Time|memory|Memory|Max |Built on' metis.log
	cksum <"$1"
}

# parts NAME NUMBER...: that many.
parts() {
	local parts
	for parts in "${@:2}"; do
		made "graphs/$1.part.$parts" gpmetis "graphs/$1" "$parts"
		made "graphs/$1.part.$parts" gpmetis -ptype=rb "graphs/$1" "$parts"
		made "graphs/$1.part.$parts" gpmetis -objtype=vol -contig -minconn "graphs/$1" "$parts"
	done
}

order() {
	made "graphs/$1.iperm" ndmetis "graphs/$1"
	made "graphs/$1.iperm" ndmetis -ctype=rm -rtype=2sided -pfactor=200 "graphs/$1"
}

# Graphs with several weights have no order.
exercise() {
	if [ "$size" = medium ]; then
		parts test.mgraph 2 && parts 4elt.graph 7 && order 4elt.graph
		return
	fi
	parts test.mgraph 2 5 && parts 4elt.graph 2 10 64 && parts copter2.graph 3 40 && parts mdual.graph 25
	order 4elt.graph && order copter2.graph && order mdual.graph
	made graphs/metis.mesh.epart.12 mpmetis graphs/metis.mesh 12
	made graphs/metis.mesh.npart.12 mpmetis -gtype=nodal -ncommon=2 graphs/metis.mesh 12
}

tally() {
	runs "$1"
}
