# SPDX-License-Identifier: MIT
# For Homebrew on macOS and Linux.  No release has an address yet, so the archive
# that `make dist` makes is named:
#
#   HOMEBREW_COLDPERF=$PWD/coldperf-VERSION.tar.xz \
#     brew install --formula contrib/homebrew/coldperf.rb
class Coldperf < Formula
  desc "Analyzer of perf.data files away from the recorded machine"
  url "file://#{ENV.fetch("HOMEBREW_COLDPERF", "/nowhere/coldperf-0.tar.xz")}"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "capstone"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "ncurses"
  depends_on "nettle"
  depends_on "sqlite"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  on_linux do
    depends_on "elfutils" # `check` asks it; it is on Linux alone
  end

  # libiberty, which the formula binutils leaves out.
  resource "binutils" do
    url Formula["binutils"].stable.url
    sha256 Formula["binutils"].stable.checksum.hexdigest
  end

  def install
    iberty = buildpath/"iberty"
    resource("binutils").stage do
      cd "libiberty" do
        system "./configure"
        system "make"
      end
      (iberty/"lib").install "libiberty/libiberty.a"
      (iberty/"include/libiberty").install "include/ansidecl.h", "include/demangle.h"
    end
    ENV.append "CPPFLAGS", "-I#{iberty}/include"
    ENV.append "LDFLAGS", "-L#{iberty}/lib"
    # Loaded by name when they are first needed: see base/port-darwin.c.
    %w[capstone libarchive ncurses sqlite].each do |name|
      ENV.append "LDFLAGS", "-Wl,-rpath,#{Formula[name].opt_lib}"
    end
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    assert_match "coldperf #{version}", shell_output("#{bin}/coldperf version")
  end
end
