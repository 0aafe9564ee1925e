# A Debian 12 tree to try things in as on a fresh system. Sourced by scripts that run by hand, as
# root: `make_tree DIRECTORY PACKAGES` (no DIRECTORY: a temporary one, removed at the end), then
# `inside COMMAND...`. A DIRECTORY that holds a Debian tree already is used as it is. SUITE (another Debian: trixie,
# sid) and MIRROR may be set.
me=${0##*/}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree= temporary=

leave_tree() {
	local mount
	for mount in proc sys dev/pts dev; do umount "$tree/$mount" 2>/dev/null || true; done
	if [ "$temporary" ]; then rm -rf --one-file-system "$tree"; fi
}

make_tree() {
	local mirror mount
	if [ "$(id -u)" -ne 0 ]; then
		echo "$me: needs root: debootstrap and chroot" >&2
		exit 1
	fi
	tree=$1
	if [ -z "$tree" ]; then
		tree=$(mktemp -d "/var/tmp/$me.XXXXXX")
		temporary=1
	fi
	trap leave_tree EXIT
	if [ ! -e "$tree/etc/debian_version" ]; then
		mirror=${MIRROR:-$("$top/tests/real/mirror" bookworm)}
		debootstrap --variant=minbase --include="$2" "${SUITE:-bookworm}" "$tree" "${mirror%/}"
	fi
	cp /etc/resolv.conf "$tree/etc/resolv.conf"
	# What this machine needs to reach the mirror (a proxy), the tree needs too.
	cp /etc/apt/apt.conf.d/*proxy* "$tree/etc/apt/apt.conf.d/" 2>/dev/null || true
	for mount in proc sys dev dev/pts; do mount --bind "/$mount" "$tree/$mount"; done
}

# inside COMMAND: by a shell in the tree's /root, with an environment as after a login.
inside() {
	echo "$me: $1"
	chroot "$tree" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		DEBIAN_FRONTEND=noninteractive sh -c "cd /root && $1"
}
