# Sources that are there are taken as they are, also for a suite that this system has no packages of.
. "$(dirname "$0")/../tap.sh"
mkdir sources && : >sources/some_1.orig.tar.gz
check "what is there is not asked for" env SUITE=none "$TOP/tests/real/fetch" some sources
finish
