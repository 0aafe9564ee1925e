# /home/me is not below /home/m, though its name begins like that.
cacheprint -f level2.out traverse.c --map=/home/m=. | grep found
exit ${PIPESTATUS[0]}
