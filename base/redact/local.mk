libcoldperf_a_SOURCES += \
	%D%/borders.c %D%/borders.h %D%/code.c %D%/code.h %D%/find.c %D%/fold.c \
	%D%/messages.c %D%/messages.h %D%/names.c %D%/names.h \
	%D%/paths.c %D%/paths.h %D%/policy.c \
	%D%/policy.h %D%/scan.c %D%/scan.h %D%/state.h %D%/unpacked.c \
	%D%/unpacked.h %D%/words.c %D%/words.h
