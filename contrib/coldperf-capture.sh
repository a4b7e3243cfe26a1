#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs a capture of perf with all that names its addresses, on the host where
# it was recorded, with nothing but perf, tar and the usual small programs:
#
#	coldperf-capture.sh [-o BUNDLE] [CAPTURE]
#	coldperf-capture.sh [-o BUNDLE] record ARGUMENTS OF perf record...
#	coldperf-capture.sh [-o BUNDLE] for QUESTION ARGUMENTS OF perf record...
#
# The first form packs CAPTURE (perf.data), the others record before; QUESTION is
# one of coldperf capture --for: for offcpu -a -- sleep 10.  The
# bundle is CAPTURE.tar.zst, or .xz, .gz, or plain, by what is installed.
# `coldperf report BUNDLE` reads it anywhere; so does perf: unpacked, its folder
# is a build-id cache (perf --buildid-dir).
#
# Takes along: objects that samples fell in, as far as they still have the
# recorded build ID or inode, their debug files of /usr/lib/debug, kallsyms of the
# running kernel (as root), perf maps and jitdumps, also those in containers.
set -eu

me=${0##*/}
die() {
	echo "$me: $*" >&2
	exit 2
}
usage() {
	sed -n '3,18s/^# \{0,1\}//p' "$0" >&2
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

# What a question needs: coldperf's table of advice, analyses/common/advice.def.
options_for() {
	case $1 in
	# <advice>
	cpu) echo "-F 999 -e cycles --switch-events -g" ;;
	latency) echo "-e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new -e cpu-clock/freq=999/ -g" ;;
	offcpu) echo "-e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new -g" ;;
	sched) echo "-m 1024 -c 1 -e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new,sched:sched_migrate_task,sched:sched_stat_runtime" ;;
	cpi) echo "-e {cycles,instructions}:S -g" ;;
	locks) echo "-e lock:contention_begin,lock:contention_end,syscalls:sys_enter_futex,syscalls:sys_exit_futex -g" ;;
	io) echo "-e block:block_rq_issue,block:block_rq_complete" ;;
	memory) echo "-e cpu/mem-loads,ldlat=30/P -e cpu/mem-stores/P -d -W --phys-data" ;;
	faults) echo "-e page-faults -c 1 -d -g" ;;
	jit) echo "-k mono -F 999 -e cycles -g" ;;
	alloc) echo "-e kmem:mm_page_alloc,kmem:mm_page_free -e page-faults/period=1/ -g" ;;
	syscalls) echo "-e raw_syscalls:sys_enter,raw_syscalls:sys_exit" ;;
	branches) echo "-b" ;;
	# </advice>
	*) die "for $1: no such question" ;;
	esac
}

command -v perf >/dev/null || die "perf is not installed"
if [ "${1-}" = for ]; then
	[ $# -ge 2 ] || usage
	options=$(options_for "$2") || exit 2
	shift 2
	set -f # no word of the table is a pattern
	# shellcheck disable=SC2086
	set -- record $options "$@"
	set +f
fi
if [ "${1-}" = record ]; then
	shift
	capture=perf.data
	perf record -o "$capture" "$@" || [ -s "$capture" ] || exit 2
else
	[ $# -le 1 ] || usage
	capture=${1-perf.data}
fi
[ -f "$capture" ] || [ -d "$capture" ] || die "$capture: no such capture"
here=$(pwd)
for tool in awk head mktemp od stat timeout; do
	command -v $tool >/dev/null || die "$tool is not installed"
done

# What was recorded is a stranger's: a name in it can be any text, and what lies
# at its place can be replaced at any time.  So all work is done in a private
# folder, no file there is written twice, and a file is taken only as grab() does.
umask 077
set -C
LC_ALL=C
export LC_ALL
work=$(mktemp -d "${TMPDIR:-/tmp}/coldperf-capture.XXXXXX")
part=
trap 'rm -rf "$work" ${part:+"$part"}' EXIT
trap 'exit 2' HUP INT TERM
stage=$work/stage
cache=${PERF_BUILDID_DIR:-${HOME-}/.debug}
mkdir -p "$stage/coldperf/jit"
missing=$work/missing
roles=$work/roles
: >"$missing"
: >"$roles"
tab=$(printf '\t')
most=4294967296 # bytes of a file
room=17179869184 # and of all

miss() {
	printf 'missing\t%s\t%s\t%s\n' "$1" "$2" "$3" >>"$missing"
}

# grab FILE TO: a copy of a regular file.  It is opened once; what was opened
# is compared with what the name is without following it.  A pipe, which could
# be put there in between, ends by time.
grab() {
	[ -f "$1" ] && [ ! -L "$1" ] && [ ! -e "$2" ] || return 1
	timeout 600 sh -c '
		exec 3<"$1" || exit 1
		[ -f /proc/$$/fd/3 ] || exit 1
		is=$(stat -L -c %d:%i /proc/$$/fd/3) || exit 1
		[ "$is" = "$(stat -c %d:%i "$1")" ] || exit 1
		[ "$3" = any ] || [ "$(readlink /proc/$$/fd/3)" = "$1" ] || exit 1
		head -c "$(($4 + 1))" <&3 >"$2"
		echo "$is" >"$2.inode"
	' sh "$1" "$2" "${3-any}" "$most" 2>/dev/null || {
		rm -f "$2" "$2.inode"
		return 1
	}
	inode=$(cat "$2.inode")
	inode=${inode#*:}
	rm -f "$2.inode"
	size=$(wc -c <"$2")
	[ "$size" -gt 0 ] && [ "$size" -le "$most" ] &&
		[ "$size" -le "$room" ] || {
		rm -f "$2"
		return 1
	}
}

# grab_elf FILE TO [exactly]: the same, of an ELF file.
grab_elf() {
	grab "$1" "$2" "${3-any}" || return 1
	[ "$(head -c 4 "$2" | od -An -tx1 | tr -d ' ')" = 7f454c46 ] || {
		rm -f "$2"
		return 1
	}
}

# put COPY FOLDER NAME ROLE ID: takes the copy into the bundle.
put() {
	mkdir -p "$stage/$2" && [ ! -e "$stage/$2/$3" ] &&
		mv "$1" "$stage/$2/$3" || {
		rm -f "$1"
		return 1
	}
	room=$((room - $(wc -c <"$stage/$2/$3")))
	printf '%s\t%s\t%s\n' "$4" "$5" "$2/$3" >>"$roles"
}

# link ID FOLDER: what perf finds the folder by.
link() {
	rest=${1#??}
	mkdir -p "$stage/.build-id/${1%"$rest"}"
	[ -L "$stage/.build-id/${1%"$rest"}/$rest" ] ||
		ln -s "../../$2" "$stage/.build-id/${1%"$rest"}/$rest"
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
	if grab "$kept" "$work/copy" &&
		put "$work/copy" "$folder" kallsyms kallsyms "$1"; then
		link "$1" "$folder"
	else
		miss kallsyms "$1" "[kernel.kallsyms]"
	fi
}

# extras ID FOLDER PATH: debug information of an object, its package.
extras() {
	rest=${1#??}
	for file in "$cache/.build-id/${1%"$rest"}/$rest/debug" \
		"/usr/lib/debug/.build-id/${1%"$rest"}/$rest.debug"; do
		[ "$1" != - ] && file=$(readlink -f "$file") || continue
		grab_elf "$file" "$work/copy" &&
			put "$work/copy" "$2" "${4-debug}" debug "$1" && break
	done
	if [ "$(stat -c %u "$3" 2>/dev/null)" = \
		"$(stat -c %u "$3.dwp" 2>/dev/null)" ] &&
		grab_elf "$3.dwp" "$work/copy" exactly; then
		put "$work/copy" "coldperf/files${3%/*}" "${3##*/}.dwp" dwp - || :
	fi
}

# object ID PATH INODES: one with a build ID.
object() {
	rest=${1#??}
	kept=$cache/.build-id/${1%"$rest"}/$rest
	path=${2%" (deleted)"}
	case $path in */../*) return ;; esac
	folder=${path#/}/$1
	role=elf got=
	[ "$2" != "[vdso]" ] || role=vdso
	if file=$(readlink -f "$kept/$role") && grab_elf "$file" "$work/copy"; then
		got=1
	elif grab_elf "$path" "$work/copy" exactly; then
		case " $3 " in *[0-9]*) ;; *) got=1 ;; esac
		case " $3 " in *" $inode "*) got=1 ;; esac
		[ "$(id_of "$work/copy")" = "$1" ] || got=
	fi
	if [ -n "$got" ] && put "$work/copy" "$folder" "$role" "$role" "$1"; then
		extras "$1" "$folder" "$path"
		link "$1" "$folder"
	else
		rm -f "$work/copy"
		extras "$1" "$folder" "$path"
		[ ! -e "$stage/$folder/debug" ] || link "$1" "$folder"
		miss elf "$1" "$2"
	fi
}

# public FILE: may anybody read it?
public() {
	bits=$(stat -c %a "$1") && [ $((0$bits & 4)) -ne 0 ] || return 1
	folder=${1%/*}
	while [ -n "$folder" ]; do
		bits=$(stat -c %a "$folder") && [ $((0$bits & 1)) -ne 0 ] ||
			return 1
		folder=${folder%/*}
	done
}

# bare PATH INODES: one without: the file that was mapped, by its inode.
bare() {
	case $1 in */../* | */jit-*.dump) return ;; esac
	if grab_elf "$1" "$work/copy" exactly; then
		case " $2 " in
		*" $inode "*) ;;
		*" open "*) public "$1" || rm -f "$work/copy" ;;
		*) rm -f "$work/copy" ;;
		esac
	fi
	if [ -e "$work/copy" ]; then
		id=$(id_of "$work/copy")
		put "$work/copy" "coldperf/files${1%/*}" "${1##*/}" elf \
			"${id:--}" || :
		extras "${id:--}" "coldperf/files${1%/*}" "$1" "${1##*/}.debug"
	else
		miss elf - "$1"
	fi
}

# records FILE: the records' names, by their length and not by a mark in a text:
#	id ID NAME    an entry of the table of build IDs: of samples
#	map INODE NAME, mapid ID NAME    executable memory
#	odd NAME    has a byte that is no letter
#	packed    compressed records
records() {
	head=$(od -An -v -tu4 -N 104 "$1" | tr '\n' ' ')
	# shellcheck disable=SC2086
	set -- "$1" $head
	[ "${2-}" = 1179796816 ] && [ "${3-}" = 843402313 ] || set -- "$1" none
	if [ "$2" = none ]; then
		names 0 <"$1" # a file of a folder
	elif [ "$4" = 16 ]; then
		tail -c +17 "$1" | names 0
	else
		data=$((${12} + ${13} * 4294967296))
		n=$((${14} + ${15} * 4294967296))
		[ "$n" -ne 0 ] || { # perf was killed
			tail -c +$((data + 1)) "$1" | names 0
			return 0
		}
		tail -c +$((data + 1)) "$1" | head -c "$n" | names 0
		# Places of the features, in the order of their bits.
		[ $((${20} & 4)) -ne 0 ] || return 0
		at=$((data + n + (${20} >> 1 & 1) * 16))
		# shellcheck disable=SC2046
		set -- "$1" $(tail -c +$((at + 1)) "$1" | od -An -v -tu4 -N 16)
		tail -c +$(($2 + $3 * 4294967296 + 1)) "$1" |
			head -c $(($4 + $5 * 4294967296)) | names 67
	fi
}

# names TYPE: 67: all are build IDs, whose type field perf leaves 0.
names() {
	od -An -v -tu4 -w4096 | awk -v all="$1" '
	function byte(i,  w) {
		w = r[int(i / 4)]
		return int(w / 256 ^ (i % 4)) % 256
	}
	function text(from, to,  t, b) {
		odd = 0
		for (t = ""; from < to && (b = byte(from)) != 0; from++) {
			odd += b < 32 || b == 127
			t = t sprintf("%c", b < 32 || b == 127 ? 63 : b)
		}
		return t
	}
	function id(from, n,  t) {
		for (t = ""; n-- > 0; from++)
			t = t sprintf("%02x", byte(from))
		return t
	}
	function say(line, name) {
		if (odd)
			line = "odd"
		if (!seen[line, name]++)
			print line "\t" name
	}
	function whole(  type, misc, size, n, name) {
		type = all ? all : r[0]
		misc = r[1] % 65536
		size = int(r[1] / 65536)
		if (type == 81 || type == 83)
			say("packed", "")
		else if (type == 67) {
			n = int(misc / 32768) ? byte(32) : 20
			name = text(36, size)
			if (n > 0 && n <= 20)
				say("id\t" id(12, n), name)
		} else if (type == 10 && (misc % 8 == 1 ||
		    misc % 8 == 2 && int(r[16] / 4) % 2)) {
			name = text(72, size)
			n = byte(40)
			if (int(misc / 16384) % 2 && n <= 20 && n > 0 &&
			    !byte(41) && !byte(42) && !byte(43))
				say((misc % 8 == 1 ? "id\t" : "mapid\t") \
				    id(44, n), name)
			else if (misc % 8 == 2)
				say("map\t" sprintf("%.0f",
				    r[12] + r[13] * 4294967296), name)
		} else if (type == 1 && misc % 8 == 2 &&
		    !int(misc / 8192) % 2)
			say("map\t-", text(40, size))
		if (type == 66)
			skip = int((r[2] + 7) / 8) * 2
		else if (type == 71)
			skip = int((r[2] + r[3] * 4294967296) / 4)
	}
	{
		for (f = 1; f <= NF; f++) {
			if (skip > 0) {
				skip--
				continue
			}
			r[k++] = $f
			if (k == 2) {
				words = int($f / 262144)
				if (words < 2)
					exit
				keep = all || r[0] == 1 || r[0] == 10 ||
				    r[0] == 66 || r[0] == 67 || r[0] == 71 ||
				    r[0] == 81 || r[0] == 83
				if (!keep) {
					skip = words - 2
					k = 0
				}
			}
			if (k > 2 && k == words || k == 2 && words == 2) {
				whole()
				k = 0
			}
		}
	}'
}

found=$work/found
list=$work/list
: >"$list"
if [ -d "$capture" ]; then
	for file in "$capture"/data "$capture"/data.*; do
		[ ! -f "$file" ] || records "$file"
	done
else
	records "$capture"
fi | sort -u >"$found"
# Compressed records cannot be read here.
packed=0
! grep -q '^packed' "$found" || packed=1

# Of mapped objects those that frames fell in.  perf prints frames as text, in
# which a name stands for what the records have, or for nothing; but where these
# are compressed it is believed of a file that anybody may read.
perf script -i "$capture" --no-inline -F ip,sym,dso 2>/dev/null |
	awk -F '\t' -v packed=$packed '
	NR == FNR {
		if ($1 == "map")
			mapped[$3] = mapped[$3] " " $2
		else if ($1 == "mapid")
			ids[$3] = ids[$3] " " $2
		else if ($1 == "id" && $3 != "")
			known[$3] = 1
		next
	}
	!had[$0]++ && sub(/\)$/, "") {
		for (rest = $0; (i = index(rest, " (")) > 0;) {
			rest = substr(rest, i + 2)
			if (rest in mapped || rest in ids)
				hit[rest] = 1
			else if (packed && rest ~ /^\//)
				hit[rest] = mapped[rest] = "open"
		}
	}
	END {
		for (name in hit) {
			if (name in known || name !~ /^\/|^\[vdso\]$/)
				continue
			n = split(ids[name], id, " ")
			for (i = 1; i <= n; i++)
				print id[i] "\t" mapped[name] " \t" name
			if (n == 0 && name ~ /^\//)
				print "-\t" mapped[name] " \t" name
		}
	}' "$found" - | sort >"$work/hit"

while IFS=$tab read -r kind id path; do
	case $kind in
	odd) miss elf - "$id" ;;
	id)
		inodes=$(awk -F '\t' -v n="$path" '
			$1 == "map" && $3 == n && $2 != "-" && $2 != 0 {
				printf "%s ", $2
			}' "$found")
		case $path in
		"[kernel.kallsyms]"* | "[kernel.vmlinux]"*) kernel "$id" ;;
		"[vdso]" | /*) object "$id" "$path" "$inodes" ;;
		esac
		;;
	esac
done <"$found"
while IFS=$tab read -r id inodes path; do
	if [ "$id" = - ]; then
		bare "$path" "$inodes"
	else
		object "$id" "$path" "${inodes# }"
	fi
done <"$work/hit"

# jit FILE ROLE NAME: code made at run time.  A link may lead out of a container.
jit() {
	grab "$1" "$work/copy" || return 0
	case $2 in
	perf-map) head -n 1 "$work/copy" | cut -c 1-99 |
		grep -Eq '^(0x)?[0-9a-fA-F]+ (0x)?[0-9a-fA-F]+ ' ;;
	*) case $(head -c 4 "$work/copy" | od -An -tx1 | tr -d ' ') in
		4454694a | 4a695444) ;; *) false ;; esac ;;
	esac && put "$work/copy" coldperf/jit "$3" "$2" - || rm -f "$work/copy"
}
# In a container the process has a root and a pid of its own: two of them may
# have a map of the same name.
perf script -i "$capture" -F pid 2>/dev/null | tr -d ' ' | sort -un |
	grep -x '[0-9]*' >"$work/pids" || :
while read -r pid; do
	inside=$(sed -n 's/^NSpid:.*[^0-9]\([0-9]*\)$/\1/p' \
		"/proc/$pid/status" 2>/dev/null) || :
	# The folder is entered, and is below the root, before a name in it is used.
	[ -z "$inside" ] || {
		cd "/proc/$pid/root/tmp" 2>/dev/null &&
			[ "$(stat -c %d:%i ..)" = \
				"$(stat -L -c %d:%i "/proc/$pid/root")" ] &&
			grab "./perf-$inside.map" "$work/map.$pid"
	} || :
	cd "$here"
	[ ! -e "$work/map.$pid" ] ||
		jit "$work/map.$pid" perf-map "perf-$pid.map"
	[ -e "$stage/coldperf/jit/perf-$pid.map" ] ||
		jit "/tmp/perf-$pid.map" perf-map "perf-$pid.map"
done <"$work/pids"
sed -n "s|^map${tab}[^${tab}]*${tab}\(/.*/jit-[0-9]*\.dump\)\$|\1|p" "$found" |
	sort -u >"$work/dumps"
while read -r file; do
	jit "$file" jitdump "${file##*/}"
done <"$work/dumps"

# copy FILE FOLDER NAME: a part of the capture, whatever its size.
copy() {
	mkdir -p "$stage/$2"
	cat <"$1" >"$stage/$2/$3" || die "$1: cannot be read"
	printf 'capture\t-\t%s\n' "$2/$3" >>"$roles"
}
if [ -d "$capture" ]; then
	# One of a CPU on which nothing ran is empty.
	for file in "$capture"/*; do
		[ ! -f "$file" ] || copy "$file" perf.data "${file##*/}"
	done
else
	copy "$capture" . perf.data
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
} >|"$list"
[ ! -d "$out" ] || die "$out: is a folder"
part=$(mktemp "$out.XXXXXX")
tar -C "$stage" -cf - -T "$list" | $squeeze >|"$part"
mv -f "$part" "$out"
part=
echo "$me: $out: $(grep -cvx coldperf/MANIFEST "$list") members," \
	"$(wc -l <"$missing" | tr -d ' ') not found" >&2
