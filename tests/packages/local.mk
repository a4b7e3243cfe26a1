# What is shipped.  Building it takes minutes: `make check-packages` does.
dist_check_SCRIPTS += %D%/deps.t %D%/install.t
plain_tests += %D%/deps.t %D%/install.t
package_tests = %D%/tarball.t %D%/static.t %D%/debian.t %D%/rpm.t
dist_check_SCRIPTS += $(package_tests)
EXTRA_DIST += %D%/everything.sh %D%/old-kernel.c %D%/packages.sh
check-packages: all
	@$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(package_tests)'
.PHONY: check-packages
