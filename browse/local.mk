libcoldperf_a_SOURCES += \
	%D%/boxes.c %D%/browse.h %D%/browser.h %D%/intervals.c %D%/model.c %D%/model.h \
	%D%/rows.c %D%/rows.h %D%/terminal.h %D%/tree.c
if NCURSES
libcoldperf_a_SOURCES += \
	%D%/command.c %D%/footer.c %D%/keys.c %D%/pictures.c %D%/screen.c %D%/terminal.c %D%/walk.c
else
libcoldperf_a_SOURCES += %D%/none.c
endif
if STATIC
# A static program has the terminals of ncurses-base in itself, for roots that
# describe none: what infocmp prints is what TERMINFO may hold.
browse_terminals = linux rxvt-unicode-256color screen screen-256color tmux \
	tmux-256color vt220 xterm xterm-256color
%D%/terminal.$(OBJEXT): %D%/terminfo.inc
%D%/terminfo.inc:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for t in $(browse_terminals); do \
		b=`infocmp -x -Q2 -q $$t | tr -d '\n'` && \
		echo "{ \"$$t\", \"$$b\" }," || exit 1; done >$@.tmp && mv $@.tmp $@
CLEANFILES += %D%/terminfo.inc
endif
