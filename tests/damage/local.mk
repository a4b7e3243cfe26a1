# Damaged captures; COUNT=1200 make check TESTS=tests/damage/damage.t for all,
# FLIPS=0 for each bit of each size and each type of each sample.
damage_tests = %D%/block.t %D%/bomb.t %D%/counter.t \
	%D%/damage.t %D%/flip.t %D%/label.t %D%/mend.t %D%/missing-data.t \
	%D%/packed.t %D%/packed-type.t %D%/repair-user.t \
	%D%/silent.t %D%/sizes.t %D%/stray.t %D%/table.t %D%/types.t \
	%D%/unknown-id.t
# A thousand files each, of which sanitizers see as many in the fuzz targets.
plain_tests += %D%/account.t %D%/header.t %D%/repair.t %D%/shift.t
dist_check_SCRIPTS += $(damage_tests) %D%/account.t %D%/header.t %D%/repair.t %D%/shift.t
TESTS += $(damage_tests)
thorough_tests += %D%/damage.t %D%/repair.t %D%/shift.t %D%/sizes.t %D%/types.t
