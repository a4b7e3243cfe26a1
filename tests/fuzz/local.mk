# Fuzz targets.  A new one is tests/fuzz/fuzz-NAME.c and two lines below.
# In `make check` they run over the corpus with tests/fuzz/driver.c; with
# --enable-fuzz libFuzzer drives them (`./check.sh --fuzz`).
fuzz_targets =

if FUZZ
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_ENGINE)
else
fuzz_ldflags = $(AM_LDFLAGS)
endif

check_LIBRARIES += %D%/libdriver.a
%C%_libdriver_a_SOURCES = %D%/driver.c %D%/fuzz.h

# fuzz_targets += %D%/fuzz-NAME
# %C%_fuzz_NAME_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-features
%C%_fuzz_features_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-tracing
%C%_fuzz_tracing_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-kallsyms
%C%_fuzz_kallsyms_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-demangle
%C%_fuzz_demangle_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-perfmap
%C%_fuzz_perfmap_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-bundle
%C%_fuzz_bundle_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-snapshot
%C%_fuzz_snapshot_LDFLAGS = $(fuzz_ldflags)

fuzz_targets += %D%/fuzz-jitdump
%C%_fuzz_jitdump_LDFLAGS = $(fuzz_ldflags)

# What the corpus of captures has not: seeds of other inputs.
EXTRA_DIST += %D%/seeds/import-evented %D%/seeds/import-firefox \
	%D%/seeds/import-folded %D%/seeds/import-script %D%/seeds/import-simpleperf \
	%D%/seeds/import-speedscope
EXTRA_DIST += %D%/seeds/kallsyms %D%/seeds/mangled %D%/seeds/perfmap
fuzz_targets += %D%/fuzz-elf
%C%_fuzz_elf_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-reader
%C%_fuzz_reader_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-pipe
%C%_fuzz_pipe_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-directory
%C%_fuzz_directory_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-x86
%C%_fuzz_x86_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-disasm
%C%_fuzz_disasm_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-sample
%C%_fuzz_sample_LDFLAGS = $(fuzz_ldflags)
EXTRA_DIST += %D%/session.h

fuzz_targets += %D%/fuzz-inlcache
%C%_fuzz_inlcache_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-dwarf
%C%_fuzz_dwarf_LDFLAGS = $(fuzz_ldflags)
EXTRA_DIST += %D%/seeds/inlined.c
fuzz_targets += %D%/fuzz-cfi
%C%_fuzz_cfi_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-gotab
%C%_fuzz_gotab_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-cfiexpr
%C%_fuzz_cfiexpr_LDFLAGS = $(fuzz_ldflags)

# What was found does not come back where sanitizers look.
if SANITIZED
TESTS += %D%/run.t
endif
dist_check_SCRIPTS += %D%/run.t

print-fuzz-targets:
	@echo $(fuzz_targets)
.PHONY: print-fuzz-targets

fuzz_targets += %D%/fuzz-sched
%C%_fuzz_sched_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_sched_LDADD = tests/analyses/libhost.a $(LDADD)

fuzz_targets += %D%/fuzz-parquet
%C%_fuzz_parquet_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-inflate
%C%_fuzz_inflate_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-repair
%C%_fuzz_repair_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-redact
%C%_fuzz_redact_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-rewrite
%C%_fuzz_rewrite_LDFLAGS = $(fuzz_ldflags)
EXTRA_DIST += %D%/input.h %D%/reading.h
fuzz_targets += %D%/fuzz-unwind
%C%_fuzz_unwind_LDFLAGS = $(fuzz_ldflags)
fuzz_targets += %D%/fuzz-formats
%C%_fuzz_formats_LDFLAGS = $(fuzz_ldflags)

# How seeds are made, and the inputs that fuzzing has found.
dist_check_SCRIPTS += %D%/seeds.sh %D%/stored.py %D%/dictionary.sh
EXTRA_DIST += %D%/dict/capture.dict %D%/dict/elf.dict %D%/dict/table.dict \
	%D%/dict/text.dict
EXTRA_DIST += %D%/stored/fuzz-bundle.b64 \
	%D%/stored/fuzz-cfi.b64 \
	%D%/stored/fuzz-cfiexpr.b64 \
	%D%/stored/fuzz-demangle.b64 \
	%D%/stored/fuzz-directory.b64 \
	%D%/stored/fuzz-disasm.b64 \
	%D%/stored/fuzz-dwarf.b64 \
	%D%/stored/fuzz-elf.b64 \
	%D%/stored/fuzz-features.b64 \
	%D%/stored/fuzz-formats.b64 \
	%D%/stored/fuzz-gotab.b64 \
	%D%/stored/fuzz-inflate.b64 \
	%D%/stored/fuzz-inlcache.b64 \
	%D%/stored/fuzz-jitdump.b64 \
	%D%/stored/fuzz-kallsyms.b64 \
	%D%/stored/fuzz-merge.b64 \
	%D%/stored/fuzz-parquet.b64 \
	%D%/stored/fuzz-perfmap.b64 \
	%D%/stored/fuzz-pipe.b64 \
	%D%/stored/fuzz-reader.b64 \
	%D%/stored/fuzz-redact.b64 \
	%D%/stored/fuzz-repair.b64 \
	%D%/stored/fuzz-report.b64 \
	%D%/stored/fuzz-rewrite.b64 \
	%D%/stored/fuzz-sample.b64 \
	%D%/stored/fuzz-sched.b64 \
	%D%/stored/fuzz-snapshot.b64 \
	%D%/stored/fuzz-sql.b64 \
	%D%/stored/fuzz-tracing.b64 \
	%D%/stored/fuzz-unwind.b64 \
	%D%/stored/fuzz-x86.b64

# What reads a capture is not in the library: a new file of run/ comes here.
fuzz_run = run/api.$(OBJEXT) run/callchains.$(OBJEXT) run/cgroups.$(OBJEXT) \
	run/choice.$(OBJEXT) \
	run/collect.$(OBJEXT) run/event-name.$(OBJEXT) run/functions.$(OBJEXT) \
	run/filter/check.$(OBJEXT) run/filter/filter.$(OBJEXT) \
	run/filter/miss.$(OBJEXT) run/filter/none.$(OBJEXT) \
	run/filter/again.$(OBJEXT) run/filter/brief.$(OBJEXT) \
	run/filter/parts.$(OBJEXT) run/filter/payload.$(OBJEXT) run/filter/told.$(OBJEXT) \
	run/flaws.$(OBJEXT) \
	run/formats.$(OBJEXT) run/import/build.$(OBJEXT) \
	run/import/gecko.$(OBJEXT) run/import/said.$(OBJEXT) \
	run/import/firefox.$(OBJEXT) run/import/folded.$(OBJEXT) \
	run/import/folded-look.$(OBJEXT) \
	run/import/import.$(OBJEXT) run/import/input.$(OBJEXT) \
	run/import/json.$(OBJEXT) run/import/otlp.$(OBJEXT) \
	run/import/pprof.$(OBJEXT) run/import/proto.$(OBJEXT) \
	run/import/script.$(OBJEXT) run/import/script-flat.$(OBJEXT) \
	run/import/script-head.$(OBJEXT) \
	run/import/simpleperf.$(OBJEXT) run/import/simpleperf-proto.$(OBJEXT) \
	run/import/speedscope.$(OBJEXT) run/inlining.$(OBJEXT) \
	run/instructions.$(OBJEXT) run/intervals.$(OBJEXT) run/jitdump.$(OBJEXT) \
	run/kept-samples.$(OBJEXT) run/label.$(OBJEXT) run/listing.$(OBJEXT) \
	run/max-stack.$(OBJEXT) run/meaning.$(OBJEXT) run/moment.$(OBJEXT) \
	run/naming.$(OBJEXT) run/origins-time.$(OBJEXT) \
	run/origins.$(OBJEXT) run/payload.$(OBJEXT) \
	run/payload-filter.$(OBJEXT) run/redact.$(OBJEXT) \
	run/run.$(OBJEXT) run/sample-fields.$(OBJEXT) run/sideband.$(OBJEXT) run/spans.$(OBJEXT) \
	run/tables.$(OBJEXT) run/tables-code.$(OBJEXT) \
	run/tables-events.$(OBJEXT) run/tables-learn.$(OBJEXT) \
	run/tables-said.$(OBJEXT) run/tables-shown.$(OBJEXT) \
	run/weight.$(OBJEXT)
fuzz_targets += %D%/fuzz-sql
%C%_fuzz_sql_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_sql_LDADD = $(fuzz_run) $(LDADD)
fuzz_targets += %D%/fuzz-report
%C%_fuzz_report_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_report_LDADD = $(fuzz_run) $(LDADD)
fuzz_targets += %D%/fuzz-import
%C%_fuzz_import_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_import_LDADD = $(fuzz_run) $(LDADD)
fuzz_targets += %D%/fuzz-merge
%C%_fuzz_merge_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_merge_LDADD = run/merge/contents.$(OBJEXT) \
	run/merge/events.$(OBJEXT) run/merge/gather.$(OBJEXT) \
	run/merge/merge.$(OBJEXT) run/merge/part.$(OBJEXT) \
	$(fuzz_run) $(LDADD)
