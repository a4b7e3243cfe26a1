#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs a capture of perf with all that names its addresses, on the host where
# it was recorded, with nothing but perf, tar and the usual small programs:
#
#	coldperf-capture.sh [-o BUNDLE] [CAPTURE]
#	coldperf-capture.sh [-o BUNDLE] record ARGUMENTS OF perf record...
#
# The first form packs CAPTURE (perf.data), the second records before.  The
# bundle is CAPTURE.tar.zst, or .xz, .gz, or plain, by what is installed.
# `coldperf report BUNDLE` reads it anywhere; so does perf: unpacked, its folder
# is a build-id cache (perf --buildid-dir).
#
# Takes along: objects that samples fell in, as far as they still have the
# recorded build ID, their debug files of /usr/lib/debug, kallsyms of the running
# kernel (as root), perf maps and jitdumps, also those in containers.
set -eu

me=${0##*/}
die() {
	echo "$me: $*" >&2
	exit 2
}
usage() {
	sed -n '3,16s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

out=
while getopts o:h option; do
	case $option in
	o) out=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))

command -v perf >/dev/null || die "perf is not installed"
if [ "${1-}" = record ]; then
	shift
	capture=perf.data
	perf record -o "$capture" "$@" || [ -s "$capture" ] || exit 2
else
	[ $# -le 1 ] || usage
	capture=${1-perf.data}
fi
[ -e "$capture" ] || die "$capture: no such capture"

# Not every name in a capture is one for a file here.
stage=$(mktemp -d "${TMPDIR:-/tmp}/coldperf-capture.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 2' HUP INT TERM
cache=${PERF_BUILDID_DIR:-${HOME-}/.debug}
mkdir -p "$stage/coldperf/jit"
missing=$stage.missing
roles=$stage.roles
trap 'rm -rf "$stage" "$missing" "$roles"' EXIT
: >"$missing"
: >"$roles"

miss() {
	printf 'missing\t%s\t%s\t%s\n' "$1" "$2" "$3" >>"$missing"
}

# copy FILE FOLDER NAME ROLE ID: a copy at FOLDER/NAME.
copy() {
	mkdir -p "$stage/$2"
	cat <"$1" >"$stage/$2/$3" 2>/dev/null || {
		rm -f "$stage/$2/$3"
		return 1
	}
	printf '%s\t%s\t%s\n' "$4" "$5" "$2/$3" >>"$roles"
}

# put FILE FOLDER NAME ROLE ID: the same, but not of a file that is empty; those
# of /proc do not tell their size.
put() {
	[ "$(head -c 1 "$1" 2>/dev/null | wc -c)" -ne 0 ] && copy "$@"
}

# link ID FOLDER: what perf finds the folder by.
link() {
	rest=${1#??}
	mkdir -p "$stage/.build-id/${1%"$rest"}"
	ln -sf "../../$2" "$stage/.build-id/${1%"$rest"}/$rest"
}

id_of() {
	perf buildid-list -i "$1" 2>/dev/null | sed -n '1s/^\([0-9a-f]*\).*/\1/p'
}

kernel() {
	folder="[kernel.kallsyms]/$1"
	rest=${1#??}
	kept=$cache/.build-id/${1%"$rest"}/$rest/kallsyms
	if [ "$(perf buildid-list -k 2>/dev/null)" = "$1" ] &&
		grep -v '^0*[^0-9a-f]' /proc/kallsyms 2>/dev/null |
		head -n 1 | grep -q .; then
		kept=/proc/kallsyms
	fi
	if [ -r "$kept" ] && put "$kept" "$folder" kallsyms kallsyms "$1"; then
		link "$1" "$folder"
	else
		miss kallsyms "$1" "[kernel.kallsyms]"
	fi
}

# object ID PATH
object() {
	rest=${1#??}
	kept=$cache/.build-id/${1%"$rest"}/$rest
	debug=/usr/lib/debug/.build-id/${1%"$rest"}/$rest.debug
	case $2 in
	*/../* | *'	'*) return ;;
	esac
	path=${2%" (deleted)"}
	folder=${path#/}/$1
	role=elf found=
	[ "$2" != "[vdso]" ] || role=vdso
	for file in "$kept/$role" "$path"; do
		[ -z "$found" ] && [ -f "$file" ] && [ -r "$file" ] || continue
		[ "$file" != "$path" ] || [ "$(id_of "$path")" = "$1" ] ||
			continue
		put "$file" "$folder" "$role" "$role" "$1" && found=1
	done
	for file in "$kept/debug" "$debug"; do
		[ -r "$file" ] && [ ! -e "$stage/$folder/debug" ] || continue
		put "$file" "$folder" debug debug "$1" && found=1
	done
	# A package belongs to the program beside it, if to any.
	[ ! -r "$path.dwp" ] || put "$path.dwp" "coldperf/files${path%/*}" \
		"${path##*/}.dwp" dwp - || :
	if [ -n "$found" ]; then
		link "$1" "$folder"
	else
		miss elf "$1" "$2"
	fi
}

list=$stage.list
trap 'rm -rf "$stage" "$missing" "$roles" "$list"*' EXIT
perf buildid-list -i "$capture" --with-hits >"$list" 2>/dev/null || :
while read -r id path; do
	case $id in
	'' | *[!0-9a-f]*) continue ;;
	esac
	case $path in
	"[kernel.kallsyms]"*) kernel "$id" ;;
	*) object "$id" "$path" ;;
	esac
done <"$list"

# Callers have no build ID in the capture: a copy by the path is all there is.
perf script -i "$capture" --no-inline -F ip,sym,dso 2>/dev/null |
	sed -n 's|^.* (\(/.*\))$|\1|p' | sort -u >"$list.frames"
cut -d ' ' -f 2- <"$list" >"$list.known"
while read -r path; do
	case $path in
	*/../* | *'	'* | */jit-*.dump | /tmp/perf-*.map) continue ;;
	esac
	! grep -Fqx "$path" "$list.known" || continue
	id=$(id_of "$path")
	put "$path" "coldperf/files${path%/*}" "${path##*/}" elf "${id:--}" || {
		miss elf - "$path"
		continue
	}
	debug=/usr/lib/debug/.build-id/${id%"${id#??}"}/${id#??}.debug
	[ ! -r "$debug" ] || put "$debug" "coldperf/files${path%/*}" \
		"${path##*/}.debug" debug "$id" || :
done <"$list.frames"

# jit FILE ROLE NAME: code made at run time.  A link may lead out of a container.
jit() {
	[ -f "$1" ] && [ -r "$1" ] && [ ! -L "$1" ] || return 0
	[ ! -e "$stage/coldperf/jit/$3" ] || return 0
	put "$1" coldperf/jit "$3" "$2" - || :
}
# In a container the process has a root and a pid of its own: two of them may
# have a map of the same name.
perf script -i "$capture" -F pid 2>/dev/null | tr -d ' ' | sort -un |
	while read -r pid; do
		inside=$(sed -n 's/^NSpid:.*[^0-9]\([0-9]*\)$/\1/p' \
			"/proc/$pid/status" 2>/dev/null) || :
		[ -z "$inside" ] || [ -L "/proc/$pid/root/tmp" ] ||
			jit "/proc/$pid/root/tmp/perf-$inside.map" perf-map \
				"perf-$pid.map"
		jit "/tmp/perf-$pid.map" perf-map "perf-$pid.map"
	done
perf script -i "$capture" --show-mmap-events 2>/dev/null |
	sed -n 's|.* \(/.*/jit-[0-9]*\.dump\)$|\1|p' | sort -u |
	while read -r file; do
		jit "$file" jitdump "${file##*/}"
	done

if [ -d "$capture" ]; then
	# One of a CPU on which nothing ran is empty.
	for file in "$capture"/*; do
		[ ! -f "$file" ] ||
			copy "$file" perf.data "${file##*/}" capture - ||
			die "$file: cannot be read"
	done
else
	put "$capture" . perf.data capture - || die "$capture: cannot be read"
fi

# What is in it, in the form of coldperf pack.
manifest=$stage/coldperf/MANIFEST
if command -v sha256sum >/dev/null; then
	{
		printf 'coldperf-bundle\t1\t%s\n' "$me"
		while IFS='	' read -r role id name; do
			sum=$(sha256sum <"$stage/$name")
			printf 'file\t%s\t%s\t%s\t%s\t%s\n' "${sum%% *}" \
				"$(wc -c <"$stage/$name" | tr -d ' ')" \
				"$role" "$id" "${name#./}"
		done <"$roles"
		(cd "$stage" && find .build-id -type l 2>/dev/null) |
			while read -r name; do
				printf 'link\t%s\t%s\n' \
					"$(readlink "$stage/$name")" "$name"
			done
		cat "$missing"
	} >"$manifest"
fi

# The first that is there.
squeeze=cat suffix=
if [ -n "$out" ]; then
	case $out in
	*.zst) squeeze='zstd -q -T0' ;;
	*.xz) squeeze='xz -T0' ;;
	*.gz) squeeze=gzip ;;
	*.bz2) squeeze=bzip2 ;;
	esac
elif command -v zstd >/dev/null; then
	squeeze='zstd -q -T0' suffix=.zst
elif command -v xz >/dev/null; then
	squeeze='xz -T0' suffix=.xz
elif command -v gzip >/dev/null; then
	squeeze=gzip suffix=.gz
fi
: "${out:=${capture%/}.tar$suffix}"
{
	[ ! -e "$manifest" ] || echo coldperf/MANIFEST
	(cd "$stage" && find perf.data -type f && find . ! -type d) |
		sed 's|^\./||' | awk '!seen[$0]++ && $0 != "coldperf/MANIFEST"'
} >"$list"
tar -C "$stage" -cf - -T "$list" | $squeeze >"$out.part"
mv "$out.part" "$out"
echo "$me: $out: $(grep -cvx coldperf/MANIFEST "$list") members," \
	"$(wc -l <"$missing" | tr -d ' ') not found" >&2
