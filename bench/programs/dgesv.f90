! Systems of linear equations by LAPACK on its reference BLAS.
program systems
	implicit none
	integer, parameter :: n = 400, columns = 20
	double precision :: a(n, n), b(n, columns), total
	integer :: pivots(n), percent, round, i, j, info
	character(16) :: argument
	external :: dgesv

	call get_command_argument(1, argument)
	read (argument, *) percent
	total = 0
	do round = 1, 80 * percent / 100
		do j = 1, n
			do i = 1, n
				a(i, j) = mod(i * i * 31 + j * j * j * 17 + round, 101) / 101d0
			end do
			a(j, j) = a(j, j) + 50
		end do
		b = 1
		call dgesv(n, columns, a, n, pivots, b, n, info)
		if (info /= 0) error stop 'singular'
		total = total + sum(b)
	end do
	print '(es20.10)', total
end program
