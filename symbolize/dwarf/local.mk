libcoldperf_a_SOURCES += \
	%D%/abbrev.c %D%/address-index.c %D%/answer.h %D%/constants.h %D%/dwarf.c \
	%D%/dwarf.h %D%/file.c %D%/internal.h %D%/reference.c %D%/form.c %D%/inline-walk.c \
	%D%/line-program.c %D%/line.c %D%/line.h %D%/name.c %D%/parallel.c \
	%D%/range.c %D%/root.c %D%/split.c %D%/unit.c
