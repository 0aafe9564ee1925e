# qhull: convex hulls, triangulations and diagrams of points of its own maker, each proved by itself:
# floating point, linked lists, sorting, longjmp where input is degenerate.
package=qhull
ran="hulls, triangulations, diagrams of its points in two to eight dimensions"
flags=(-O2 "-O3 -march=native")
needs=cmake
clang=

build() {
	cmake -S . -B made -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CFLAGS" && make -s -j2 -C made
}

# of POINTS TOOL WORD...: what the tool makes of rbox's points, but for times and what is there in every run anew.
of() {
	echo "$*" && made/rbox $1 >points && "made/$2" "${@:3}" <points >made.log 2>&1
	echo "status $?" && grep -vE 'seconds|CPU|run-id' made.log | cksum
}

exercise() {
	local n=2000 most=5
	[ "$size" = medium ] || n=60000 most=8
	of "$n D2 t1" qconvex s n Tv && of "$n D3 t2" qhull s FA Fx && of "$((n / 8)) D4 s t3" qconvex s i Tv
	of "$((n / 4)) D3 t4" qdelaunay s i Qt Tv && of "$((n / 4)) D2 t5" qvoronoi s o Fv && of "c D3 G2 500 t6" qhull QJ s f
	of "$((n / 100)) W0.1 D5 t7" qhull Qx s Tv && of "c D$most" qhull Qt s i && of "$((n / 200)) D4 t8" qdelaunay QJ s Fv
	of "100 W0 D3 t9" qhull s Fc Tv && of "4 D3 z" qhull s && of "3 D3 t10" qhull s
	of "y W1 500 D3 t11" qhull Tv C-0.01 s && of "s 1000 r D3" qconvex Fs Qc && of "$n P0 D2 t12" qconvex p
	echo user && made/user_eg3 rbox "100 D3 t13" qhull "d Qbb" facets 2>&1 | grep -v seconds | cksum
}

tally() {
	runs "$1"
}
