# bash completion for cacheprint: options as its --help has them, events and sources as the profile
# has them.

# The profiles of the command line so far, or cacheprof.out.
_cacheprint_profiles() {
	local i found=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-f) found+=("${COMP_WORDS[i + 1]}") ;;
		--file) found+=("${COMP_WORDS[i + 2]}") ;;
		esac
	done
	[ ${#found[@]} -gt 0 ] || found=(cacheprof.out)
	printf '%s\n' "${found[@]}"
}

# What it can show: the profile's own events and those derived from them.
_cacheprint_events() {
	cacheprint -f "$(_cacheprint_profiles | head -n 1)" --show='?' 2>&1 | sed -n 's/.*the profile has//p'
}

_cacheprint_sources() {
	local profile
	_cacheprint_profiles | while IFS= read -r profile; do
		[ -r "$profile" ] && sed -n 's,^fl=\(.*/\)\{0\,1\},,p' "$profile"
	done | sort -u
}

# The options, each with "=" where an argument follows.
_cacheprint_options() {
	cacheprint --help | grep -oE -- '--[a-z-]+(\[?=)?' | tr -d '['
}

# The last item of a list separated by commas.
_cacheprint_list() {
	local before=
	[[ $1 == *,* ]] && before=${1%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_cacheprint_events)" -- "${1##*,}")
	compopt -o nospace
}

_cacheprint_value() {
	case $1 in
	--show | --sort) _cacheprint_list "$2" ;;
	--group) mapfile -t COMPREPLY < <(compgen -W "file function" -- "$2") ;;
	--color) mapfile -t COMPREPLY < <(compgen -W "always auto never" -- "$2") ;;
	--auto | --percent | --pager) mapfile -t COMPREPLY < <(compgen -W "yes no" -- "$2") ;;
	--include | -I | --before) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
	--file | -f | --output | -o | --html) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
	*) return 1 ;;
	esac
}

_cacheprint() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	COMPREPLY=()
	if [ "$current" = = ]; then
		_cacheprint_value "$previous" ""
	elif [ "$previous" = = ]; then
		_cacheprint_value "${COMP_WORDS[COMP_CWORD - 2]}" "$current"
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_cacheprint_options)" -- "$current")
		[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
	else
		_cacheprint_value "$previous" "$current" ||
			mapfile -t COMPREPLY < <(compgen -f -W "$(_cacheprint_sources)" -- "$current")
	fi
	return 0
}
complete -F _cacheprint cacheprint
