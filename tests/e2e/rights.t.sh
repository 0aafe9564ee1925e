# A program that gives up its rights while it runs: the profile's place is that of the start, and where it cannot
# be written in the end one sentence says so, and the status is the program's own.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >drop.c <<'END'
#define _GNU_SOURCE
#include <grp.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int sum;
__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 1000; i++)
		sum += i;
}
/* Off from all files, as xz does. */
static int shut_off(void)
{
	struct landlock_ruleset_attr all = {.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1};
	long rules = syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);

	return rules < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, rules, 0);
}
int main(int argc, char **argv)
{
	if (strchr(argv[1], 'l') && shut_off())
		return 4;
	if (strchr(argv[1], 'c'))
		close(2);
	if (strchr(argv[1], 'r') && chroot("/usr"))
		return 1;
	if (strchr(argv[1], 'd') && chdir("/"))
		return 1;
	if (strchr(argv[1], 'u') && (setgroups(0, 0) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
		return 2;
	work();
	return 3;
}
END
check "builds" cacheprof gcc -O1 -o drop drop.c
chmod 755 .
mkdir -m 777 open
mkdir -m 755 shut read_only
# drops DIRECTORY HOW [REASON]: it ends with its status, with a profile or a sentence
drops() {
	local status
	(cd "$1" && rm -f cacheprof.out* && ../drop "$2" 2>../err)
	status=$?
	cat err
	[ $status -eq 3 ] || return 1
	if [ "${3:-}" ]; then
		[ "$(cat err)" = "==cacheprof== cannot write $PWD/$1/cacheprof.out: $3" ] && [ -z "$(ls "$1")" ]
	else
		[ ! -s err ] && grep -qx fn=work "$1/cacheprof.out" && [ -s "$1/cacheprof.out.summary" ]
	fi
}
if [ "$(id -u)" -eq 0 ]; then
	check "another user" drops open u
	check "another user and directory" drops open ud
	check "another user, who may not write" drops shut ud "Permission denied (EACCES)"
	check "another root" drops open rd "No such file or directory (ENOENT)"
	check "another root and user" drops open rdu "No such file or directory (ENOENT)"
else
	skip "another user" "not root"
fi
gcc -o native drop.c
./native l
if [ $? -eq 3 ]; then
	check "without files" drops open l
	check "and without standard error" drops open lc
	options=$CACHEPROF_OPTIONS CACHEPROF_OPTIONS=$CACHEPROF_OPTIONS:continuous=1
	check "written all the time" drops open l
	CACHEPROF_OPTIONS=$options
	check "statically linked, at level 1" cacheprof --level1 gcc -O1 -static -o drop drop.c
	check "without files" drops open lc
	check "as before" cacheprof gcc -O1 -o drop drop.c
else
	skip "without files" "the kernel has no Landlock, or does not let us"
fi
# able CAPABILITIES: with them in its file it writes where it always does, not where its user says
able() {
	mkdir -p private && chmod 700 private && rm -f open/* && setcap "$1" able || return 1
	(cd open && CACHEPROF_OPTIONS=quiet=1:out="$T/private/out" \
		setpriv --reuid=65534 --regid=65534 --clear-groups ../able "") 2>err
	[ $? -eq 3 ] && [ -z "$(ls private)" ] && [ -s open/cacheprof.out ]
}
if [ "$(id -u)" -eq 0 ] && command -v setcap >/dev/null && cp drop able &&
	setcap cap_dac_override+ep able 2>/dev/null &&
	[ "$(findmnt -no OPTIONS -T . | grep -c nosuid)" -eq 0 ]; then
	check "a file with a capability" able cap_dac_override+ep
	check "with another" able cap_net_raw+ep
else
	skip "a file with a capability" "it can have none here"
fi
read_only() {
	unshare -m bash -c 'mount -t tmpfs none read_only && mount -o remount,ro none read_only &&
		cd read_only && ../drop "" 2>../err'
	[ $? -eq 3 ] && [ "$(cat err)" = "==cacheprof== cannot write $PWD/read_only/cacheprof.out: Read-only file system (EROFS)" ]
}
if unshare -m mount -t tmpfs none read_only 2>/dev/null; then
	check "a file system that is read-only" read_only
else
	skip "a file system that is read-only" "none can be mounted here"
fi
finish
