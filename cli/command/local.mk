coldperf_SOURCES += \
	%D%/analyse.c %D%/bundle.c %D%/bundle.h %D%/command.h %D%/dump.c \
	%D%/pack-unwound.c %D%/pack-unwound.h %D%/pack.c %D%/packlist.c \
	%D%/packlist.h %D%/script.c %D%/symbols-fetch.c %D%/symbols.c \
	%D%/symbols.h %D%/unpack.c %D%/verify.c
