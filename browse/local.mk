libcoldperf_a_SOURCES += \
	%D%/boxes.c %D%/boxes.h %D%/browse.h %D%/browser.h \
	%D%/command.c %D%/footer.c %D%/intervals.c %D%/keys.c %D%/model.c %D%/model.h %D%/rows.c \
	%D%/rows.h %D%/screen.c %D%/pictures.c %D%/terminal.c %D%/terminal.h %D%/tree.c \
	%D%/walk.c
