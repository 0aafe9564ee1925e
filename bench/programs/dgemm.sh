. "$bench/programs/lapack.sh"
