for output in -o- --output=/dev/stdout --html=/dev/stdout; do
	{
		echo head
		cacheprint -f level1.out --show=Ir $output
		echo tail
	} >both
	sed -n '1p; $p' both
done
{
	echo head
	cacheprint -f level1.out --csv --show=Ir -o /dev/fd/1
	echo tail
} >>both
sed -n '1p; $p' both
ls ./- 2>/dev/null
exit 0
