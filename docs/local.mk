dist_doc_DATA = %D%/ADDING-AN-ANALYSIS.md
examplesdir = $(docdir)/examples
dist_examples_DATA = %D%/examples/blocked.c %D%/examples/commands.c \
	%D%/examples/stolen.c
EXTRA_DIST += %D%/ARCHITECTURE.md %D%/WHERE.md %D%/GLOSSARY.md %D%/INSTALL.md %D%/RELEASING.md %D%/SQL.md %D%/FLEET.md %D%/intervals.md %D%/mkperf.md %D%/statistics.md \
	%D%/page-format.md %D%/redaction.md %D%/report-schema.md %D%/snapshot-format.md %D%/flame.svg
