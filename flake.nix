# SPDX-License-Identifier: MIT
# `nix run . -- report perf.data`, `nix profile install .`
{
  description = "Reads any perf.data file, away from the machine that made it";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      version = builtins.head (builtins.match
        ".*AC_INIT\\(\\[coldperf], \\[([0-9.]+)].*"
        (builtins.readFile ./configure.ac));
    in {
      packages = nixpkgs.lib.genAttrs systems (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenv.mkDerivation {
            pname = "coldperf";
            inherit version;
            src = self;
            enableParallelBuilding = true;
            nativeBuildInputs = [ pkgs.autoreconfHook pkgs.pkg-config ];
            buildInputs = [
              pkgs.capstone
              pkgs.elfutils
              pkgs.libarchive
              pkgs.libdeflate
              pkgs.libiberty
              pkgs.ncurses
              pkgs.nettle
              pkgs.sqlite
              pkgs.xz
              pkgs.zlib
              pkgs.zstd
            ];
            # Loaded by name when they are needed.
            postFixup = ''
              patchelf --add-rpath ${pkgs.lib.makeLibraryPath [
                pkgs.capstone
                pkgs.elfutils
                pkgs.libarchive
                pkgs.ncurses
                pkgs.sqlite
              ]} $out/bin/coldperf
            '';
            meta = {
              license = pkgs.lib.licenses.mit;
              mainProgram = "coldperf";
              platforms = systems;
            };
          };
        });
    };
}
