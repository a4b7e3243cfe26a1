# SPDX-License-Identifier: MIT
# For Homebrew on Linux; elfutils has no formula for macOS.  No release has an
# address yet, so the archive that `make dist` makes is named:
#
#   HOMEBREW_COLDPERF=$PWD/coldperf-VERSION.tar.xz \
#     brew install --formula contrib/homebrew/coldperf.rb
class Coldperf < Formula
  desc "Analyzer of perf.data files away from the recorded machine"
  url "file://#{ENV.fetch("HOMEBREW_COLDPERF", "/nowhere/coldperf-0.tar.xz")}"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "binutils"
  depends_on "capstone"
  depends_on "elfutils"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on :linux
  depends_on "ncurses"
  depends_on "nettle"
  depends_on "sqlite"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    assert_match "coldperf #{version}", shell_output("#{bin}/coldperf version")
  end
end
