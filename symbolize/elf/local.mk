libcoldperf_a_SOURCES += \
	%D%/damage.c %D%/debug-offsets.c %D%/elf-file.c %D%/elf-file.h \
	%D%/mini-debuginfo.c %D%/plt.c %D%/relocation.c %D%/relocation.h \
	%D%/section-data.c %D%/section-data.h %D%/strip.c %D%/strip.h \
	%D%/symbols.c %D%/symbols.h
