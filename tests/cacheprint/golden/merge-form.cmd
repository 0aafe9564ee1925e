for form in --html=a.html --json --csv --markdown; do
	cacheprint --merge $form level2.out level2.out
	echo "$?"
done
ls | grep html
true
