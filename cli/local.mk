coldperf_SOURCES = \
	%D%/cli.h %D%/command-line.c %D%/commands.c \
	%D%/commands.h %D%/completion.c %D%/config-file.c \
	%D%/default-output.c %D%/examples.c %D%/help.c %D%/help.h \
	%D%/main.c %D%/merging.c %D%/option-values.c %D%/options.c \
	%D%/output-file.c %D%/output-file.h %D%/output.c %D%/output.h %D%/perf-words.c \
	%D%/perf-words.h %D%/plugin.c %D%/plugin.h %D%/progress.c \
	%D%/progress.h %D%/redact.c %D%/redact.h %D%/report-output.c %D%/report-output.h %D%/sides.c \
	%D%/status.c %D%/status.h %D%/suggest.c %D%/suggest.h %D%/walls.c
include cli/command/local.mk
include cli/idle/local.mk
coldperf_LDADD = $(CP_LIBS)
coldperf_LDFLAGS = $(SAN_FLAGS) $(COV_FLAGS) $(STATIC_LDFLAGS)
if LINUX
if !STATIC
# What plug-ins may call: the functions that plugin.h makes visible.
coldperf_LDFLAGS += -Wl,--dynamic-list=$(srcdir)/%D%/exports.list
endif
endif
coldperf_DEPENDENCIES = libcoldperf.a $(srcdir)/%D%/exports.list
EXTRA_DIST += %D%/exports.list

# Completion for shells is made by the program: a cross build has none.
if !CROSS
bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d
bashcomp_DATA = completions/coldperf
zshcomp_DATA = completions/_coldperf
fishcomp_DATA = completions/coldperf.fish
make_completion = $(AM_V_GEN)$(MKDIR_P) completions && \
	./coldperf$(EXEEXT) completion
completions/coldperf: coldperf$(EXEEXT)
	$(make_completion) bash >$@.tmp && mv $@.tmp $@
completions/_coldperf: coldperf$(EXEEXT)
	$(make_completion) zsh >$@.tmp && mv $@.tmp $@
completions/coldperf.fish: coldperf$(EXEEXT)
	$(make_completion) fish >$@.tmp && mv $@.tmp $@
CLEANFILES += $(bashcomp_DATA) $(zshcomp_DATA) $(fishcomp_DATA)
endif
