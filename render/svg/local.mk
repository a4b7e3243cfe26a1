libcoldperf_a_SOURCES += \
	%D%/chart-data.c %D%/chart-data.h %D%/chart.c %D%/chart.h \
	%D%/draw.c %D%/draw.h %D%/flame-layout.c %D%/flame-layout.h \
	%D%/language.c %D%/language.h \
	%D%/groups.c %D%/groups.h \
	%D%/head.c %D%/head.h %D%/legend.c %D%/legend.h %D%/palette.c \
	%D%/palette.h %D%/picture-data.c %D%/picture-data.h %D%/picture.c \
	%D%/picture.h %D%/section.c %D%/section.h %D%/strings.c \
	%D%/strings.h
