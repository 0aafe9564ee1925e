# zlib's minigzip packs text.
. "$real/zlib.sh"
command=(./minigzip -9 -c "$(text $((240000 * percent)))")
