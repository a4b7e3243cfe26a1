# %D%: see docs/ARCHITECTURE.md
libcoldperf_a_SOURCES += \
	%D%/symbolize.h %D%/symbolize.c \
	%D%/x86length.h %D%/x86length.c \
	%D%/libcapstone.h %D%/libcapstone.c %D%/disasm.h %D%/disasm.c \
	%D%/code.h %D%/code.c %D%/codemarks.c \
	%D%/srcfile.h %D%/srcfile.c \
	%D%/list.def %D%/chain.h %D%/chain.c \
	%D%/objfile.h %D%/objfile.c \
	%D%/elf.h %D%/elf.c %D%/buildid.c \
	%D%/elfdata.h %D%/elfdata.c %D%/elfrel.c \
	%D%/dwarf.h %D%/dwarf.c %D%/dwarf-defs.h %D%/dwarf-file.h \
	%D%/dwarf-file.c %D%/dwarf-unit.c %D%/dwarf-abbrev.c \
	%D%/dwarf-form.c %D%/dwarf-range.c %D%/dwarf-index.c \
	%D%/dwarf-walk.c %D%/dwarf-name.c %D%/dwarf-split.c %D%/dwarf-parts.c \
	%D%/inlines.c %D%/inlcache.h %D%/inlcache.c %D%/inltrim.c \
	%D%/dwarf-line.h %D%/dwarf-line.c %D%/dwarf-rows.c \
	%D%/elfsym.h %D%/elfsym.c %D%/elfpick.c %D%/elfplt.c %D%/elfpltgot.c \
	%D%/debugdata.c \
	%D%/gotab.h %D%/gotab.c %D%/gomodule.c %D%/gosym.c %D%/gorow.c \
	%D%/golines.c \
	%D%/radix.h %D%/radix.c \
	%D%/symtab.h %D%/symtab.c %D%/alias.c \
	%D%/kallsline.h %D%/kallsline.c \
	%D%/met.h \
	%D%/kallsyms.h %D%/kallsyms.c \
	%D%/running.h %D%/running.c \
	%D%/demangle.h %D%/demangle.c %D%/simplename.h %D%/simplename.c \
	%D%/files.h %D%/files.c %D%/slim.c %D%/offer.c \
	%D%/loadelf.c %D%/debugfile.c %D%/debugonly.c %D%/kernel.c \
	%D%/symindex.h %D%/symindex.c %D%/walk.c %D%/bundle.c %D%/peek.c \
	%D%/indexcache.h %D%/indexcache.c \
	%D%/bundlecache.h %D%/bundlecache.c \
	%D%/sources.h %D%/sources.c %D%/splitfile.h %D%/splitfile.c \
	%D%/capture.c %D%/buildidcache.c %D%/symdirs.c %D%/recorded.c \
	%D%/vdso.c %D%/vsyscall.c \
	%D%/arch.h %D%/arch.c %D%/leb.h \
	%D%/cfi.h %D%/cfi.c %D%/cfientry.c %D%/cfiindex.c %D%/cfiprogram.c %D%/cfibrief.c \
	%D%/cfiexpr.h %D%/cfiexpr.c %D%/exidx.h %D%/exidx.c \
	%D%/unwind.h %D%/unwindi.h %D%/unwind.c %D%/unwindguess.c %D%/unwindgo.c \
	%D%/unwindmemory.c %D%/unwindarm.c %D%/unwindx86.c %D%/armrun.h \
	%D%/armrun.c %D%/armcode.c %D%/thumbcode.c %D%/unwindjit.c %D%/unwindlink.c \
	%D%/unwindobject.c %D%/unwindrule.c \
	%D%/unwindscan.c %D%/unwindshare.c %D%/unwindsignal.c \
	%D%/unwindstep.c \
	%D%/jitfiles.h %D%/jitfiles.c %D%/perfmap.c %D%/jitdump.c \
	%D%/maptext.h %D%/maptext.c %D%/latest.c \
	%D%/othernames.h %D%/ocamlname.c %D%/javaname.c %D%/goname.c \
	%D%/runtimename.c \
	%D%/debuginfod.c %D%/dbgcache.h %D%/dbgcache.c \
	%D%/fetch.h %D%/fetch.c %D%/misses.h %D%/misses.c
