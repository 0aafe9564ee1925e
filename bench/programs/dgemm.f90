! Products of matrices by the reference BLAS, of all four kinds of transposition.
program products
	implicit none
	integer, parameter :: n = 300
	character, parameter :: how(2) = ['N', 'T']
	double precision :: a(n, n), b(n, n), c(n, n)
	character(16) :: argument
	integer :: percent, round, i, j
	external :: dgemm

	call get_command_argument(1, argument)
	read (argument, *) percent
	do j = 1, n
		do i = 1, n
			a(i, j) = mod(i * 31 + j * 17, 101) / 101d0
			b(i, j) = mod(i * 13 + j * 29, 103) / 103d0
		end do
	end do
	c = 0
	do round = 0, 64 * percent / 100 - 1
		call dgemm(how(1 + mod(round, 2)), how(1 + mod(round / 2, 2)), n, n, n, 1d0, a, n, b, n, 0.5d0, c, n)
	end do
	print '(es24.12)', sum(c)
end program
