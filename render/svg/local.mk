libcoldperf_a_SOURCES += \
	%D%/chart-data.c %D%/chart.c %D%/draw.h %D%/flame-layout.c \
	%D%/flame-layout.h %D%/palette.c %D%/palette.h %D%/picture-data.c \
	%D%/picture.c
