libcoldperf_a_SOURCES += \
	%D%/chunk.c %D%/chunk.h %D%/delta.c \
	%D%/footer.c %D%/page.c %D%/page.h %D%/parquet.c \
	%D%/table.h %D%/stream.c %D%/stream.h \
	%D%/tables.c %D%/tables.h %D%/tar.c %D%/tar.h \
	%D%/thrift.c %D%/thrift.h %D%/words.c %D%/zigzag.h
