libcoldperf_a_SOURCES += \
	%D%/columns.c %D%/columns.h %D%/delta.c %D%/delta.h %D%/footer.c %D%/parquet.c %D%/parquet.h \
	%D%/thrift.c %D%/thrift.h
