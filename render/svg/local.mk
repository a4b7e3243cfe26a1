libcoldperf_a_SOURCES += \
	%D%/chart-data.c %D%/chart.c %D%/chart.h \
	%D%/draw.c %D%/draw.h %D%/flame-layout.c %D%/flame-layout.h \
	%D%/language.c %D%/language.h \
	%D%/groups.c %D%/groups.h \
	%D%/head.c %D%/head.h %D%/legend.c %D%/legend.h %D%/palette.c \
	%D%/palette.h %D%/picture-data.c %D%/picture.c \
	%D%/section.c %D%/strings.c
