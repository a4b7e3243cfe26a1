# Damaged captures; COUNT=1200 make check TESTS=tests/damage/damage.t for all,
# FLIPS=0 for each bit of each size.
dist_check_SCRIPTS += %D%/bomb.t %D%/damage.t %D%/header.t %D%/sizes.t \
	%D%/repair.t %D%/stray.t
TESTS += %D%/bomb.t %D%/damage.t %D%/header.t %D%/sizes.t \
	%D%/repair.t %D%/stray.t
