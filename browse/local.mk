libcoldperf_a_SOURCES += \
	%D%/boxes.c %D%/browse.h %D%/browser.h %D%/intervals.c %D%/model.c %D%/model.h \
	%D%/rows.c %D%/rows.h %D%/terminal.h %D%/tree.c
if NCURSES
libcoldperf_a_SOURCES += \
	%D%/command.c %D%/footer.c %D%/keys.c %D%/pictures.c %D%/screen.c %D%/terminal.c %D%/walk.c
else
libcoldperf_a_SOURCES += %D%/none.c
endif
