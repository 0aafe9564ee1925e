# bzip2 packs text.
. "$real/bzip2.sh"
command=(./bzip2 -9 -c "$(text $((100000 * percent)))")
