libcoldperf_a_SOURCES += \
	%D%/build-id.c %D%/debug-offsets.c %D%/elf-file.c %D%/elf-file.h \
	%D%/mini-debuginfo.c %D%/plt-got.c %D%/plt.c %D%/relocation.c \
	%D%/section-data.c %D%/section-data.h %D%/strip.c \
	%D%/symbols-asked.c %D%/symbols.c %D%/symbols.h
