! Array expressions, formatted output, a block of DATA.
subroutine smooth(a, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  character(len=8), save :: tag = 'a;#"b'
  do j = 2, n - 1
     do i = 2, n - 1
        a(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1))
     end do
  end do
  print '(a, f8.3)', tag, sum(a)
end subroutine smooth
