# Sourced by dgemm.sh and dgesv.sh: what they need of LAPACK and its reference BLAS, all compiled here.
package=lapack
needs=gfortran
lapack=(BLAS/SRC/{dgemm,dscal,dtrsm,idamax,lsame,xerbla}.f INSTALL/dlamch.f
	SRC/{dgesv,dgetrf,dgetrf2,dgetrs,dlaswp,ieeeck,ilaenv,iparmq}.f)

build() {
	$FC $CFLAGS -o program "$bench/programs/$name.f90" "${lapack[@]}"
}
command=(./program "$percent")
