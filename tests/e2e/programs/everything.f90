! Fortran: arrays, types with procedures, recursion, OpenMP where that is switched on.
module shapes
  implicit none
  type, abstract :: shape
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    function area_of(self) result(a)
      import shape
      class(shape), intent(in) :: self
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: square
    real(8) :: side
  contains
    procedure :: area => square_area
  end type
contains
  function square_area(self) result(a)
    class(square), intent(in) :: self
    real(8) :: a
    a = self%side ** 2
  end function
end module
program h
  use shapes
  implicit none
  integer :: i, j, n = 40, total
  real(8), allocatable :: a(:,:), b(:,:), c(:,:)
  class(shape), allocatable :: s
  character(len=20) :: text
  allocate(a(n,n), b(n,n), c(n,n))
  do j = 1, n
    do i = 1, n
      a(i,j) = i + j * 0.5d0; b(i,j) = i - j
    end do
  end do
  c = matmul(a, transpose(b))
  print '(f14.3)', sum(c), maxval(a * b)
  total = 0
!$omp parallel do reduction(+:total) num_threads(3)
  do i = 1, 3000
    total = total + mod(i * 7, 13)
  end do
  print *, total
  allocate(s, source=square(3d0))
  write(text, '(f8.2)') s%area()
  print *, trim(text), fib(17)
  call inner(5)
  stop 2
contains
  recursive function fib(k) result(r)
    integer, intent(in) :: k
    integer :: r
    r = k
    if (k > 1) r = fib(k - 1) + fib(k - 2)
  end function
  subroutine inner(k)
    integer, intent(in) :: k
    real :: x(k * 10)
    x = [(sin(real(i)), i = 1, k * 10)]
    print '(f8.4)', norm2(x), x(n)
  end subroutine
end program
