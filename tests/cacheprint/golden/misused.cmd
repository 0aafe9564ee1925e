cacheprint --map=nowhere -f level2.out
echo "$?"
cacheprint --html=a.html --output=b.html -f level2.out
echo "$?"
ls | grep html
true
