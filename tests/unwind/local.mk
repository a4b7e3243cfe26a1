# Unwinding of user stacks.  What is recorded here, or compared with what others
# say of sound tables, is unwound once, without sanitizers.
EXTRA_DIST += %D%/work/frames.c %D%/work/remap.c %D%/work/throw.cc \
	%D%/work/mixed.rs %D%/work/mixed.js \
	%D%/work/mixed.go

# Against libdwfl, where it is installed.
if LIBDW
check_PROGRAMS += %D%/dwfl-stacks
%C%_dwfl_stacks_SOURCES = %D%/dwfl-stacks.c %D%/replay.c %D%/replay.h
%C%_dwfl_stacks_LDADD = $(CP_LIBS)
endif
dist_check_SCRIPTS += %D%/dwfl.t
# It compiles, records and asks libdwfl for longer than it unwinds.
if !SANITIZED
nightly_tests += %D%/dwfl.t
recording_tests += %D%/dwfl.t
endif

# Stacks and registers that make no sense.
check_PROGRAMS += %D%/damage
TESTS += %D%/damage

# By files that servers have.
dist_check_SCRIPTS += %D%/debuginfod.t
TESTS += %D%/debuginfod.t

# One case each.
EXTRA_DIST += %D%/made.py
dist_check_SCRIPTS += %D%/budget.t %D%/cases.t %D%/exidx.t %D%/gotop.t %D%/marks.t %D%/reasons.t %D%/rules.t
TESTS += %D%/budget.t %D%/cases.t %D%/exidx.t %D%/gotop.t %D%/marks.t %D%/reasons.t %D%/rules.t

# With any number of threads.
dist_check_SCRIPTS += %D%/jobs.t %D%/opinion.t
plain_tests += %D%/jobs.t %D%/opinion.t

# Without tables, by the code alone.
dist_check_SCRIPTS += %D%/notable.t
if !SANITIZED
TESTS += %D%/notable.t
endif
recording_tests += %D%/notable.t

# Code of jitdumps.
dist_check_SCRIPTS += %D%/jit.t
TESTS += %D%/jit.t

# Other architectures, as far as compilers and qemu-user are at hand.
EXTRA_DIST += %D%/work/foreign.c
EXTRA_DIST += %D%/foreign/record.py %D%/foreign/steps.py
EXTRA_DIST += %D%/foreign/arm.stacks %D%/foreign/arm.tar.xz
EXTRA_DIST += %D%/foreign/arm64.stacks %D%/foreign/arm64.tar.xz
EXTRA_DIST += %D%/foreign/arm64pac.stacks %D%/foreign/arm64pac.tar.xz
EXTRA_DIST += %D%/foreign/armbare.stacks %D%/foreign/armbare.tar.xz
EXTRA_DIST += %D%/foreign/armsteps.stacks %D%/foreign/armsteps.tar.xz
EXTRA_DIST += %D%/foreign/i386.stacks %D%/foreign/i386.tar.xz
EXTRA_DIST += %D%/foreign/ppc64le.stacks %D%/foreign/ppc64le.tar.xz
EXTRA_DIST += %D%/foreign/riscv64.stacks %D%/foreign/riscv64.tar.xz
EXTRA_DIST += %D%/foreign/s390x.stacks %D%/foreign/s390x.tar.xz
EXTRA_DIST += %D%/foreign/thumb.stacks %D%/foreign/thumb.tar.xz
EXTRA_DIST += %D%/foreign/thumbbare.stacks
EXTRA_DIST += %D%/foreign/thumbbare.tar.xz
dist_check_SCRIPTS += %D%/foreign.t %D%/recorded.t %D%/random.t %D%/leaf.t
TESTS += %D%/recorded.t %D%/random.t %D%/leaf.t
if !SANITIZED
TESTS += %D%/foreign.t
endif
recording_tests += %D%/foreign.t

# Against frame pointers of the same samples.
check_PROGRAMS += %D%/record-both %D%/fp-stacks
%C%_record_both_LDADD =
%C%_fp_stacks_SOURCES = %D%/fp-stacks.c %D%/replay.c %D%/replay.h
%C%_fp_stacks_LDADD = $(CP_LIBS)
dist_check_SCRIPTS += %D%/cli.t %D%/fp.t %D%/lost.t %D%/perf.t
EXTRA_DIST += %D%/lost/lines.go %D%/lost/shapes.cc %D%/lost/text.c \
	%D%/lost/words.rs
thorough_tests += %D%/lost.t
if !SANITIZED
TESTS += %D%/cli.t %D%/fp.t %D%/lost.t %D%/perf.t
endif
recording_tests += %D%/cli.t %D%/fp.t %D%/lost.t %D%/perf.t

# Unwound when they are read, or when their time has come: the same.
check_PROGRAMS += %D%/early
%C%_early_SOURCES = %D%/early.c %D%/replay.c %D%/replay.h
%C%_early_LDADD = $(CP_LIBS)
dist_check_SCRIPTS += %D%/early.t
if !SANITIZED
TESTS += %D%/early.t
endif
recording_tests += %D%/early.t

# Row by row against readelf.
check_PROGRAMS += %D%/rows
dist_check_SCRIPTS += %D%/rows.t
if !SANITIZED
TESTS += %D%/rows.t
endif
