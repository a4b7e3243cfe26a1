EXTRA_DIST += %D%/ARCHITECTURE.md %D%/ADDING-AN-ANALYSIS.md %D%/mkperf.md \
	%D%/report-schema.md %D%/flame.svg
