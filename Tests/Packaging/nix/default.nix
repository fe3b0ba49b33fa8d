# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds Segue from this tree: nix-build Tests/Packaging/nix
#
# Untried. It needs Swift 6.2 in nixpkgs, and the hashes of the Swift packages, which a release does not contain yet:
# `swift package resolve && swiftpm2nix` writes them to a directory nix; rename it to generated, and move it to this one.
{
  pkgs ? import <nixpkgs> { },
  dependencies ? ./generated,
}:
let
  inherit (pkgs) lib swift;
  packages = pkgs.swiftpm2nix.helpers dependencies;
  root = ../../..;
  # Libraries that are loaded when they are used.
  loaded = with pkgs; [
    alsa-lib
    chafa
    chromaprint
    curl
    fftwFloat
    libebur128
    libjpeg
    libpng
    libpulseaudio
    libuchardet
    rubberband
    soxr
    systemdLibs
  ];
in
assert lib.assertMsg (lib.versionAtLeast swift.version "6.2") "Segue needs Swift 6.2 or later";
pkgs.swiftPackages.stdenv.mkDerivation {
  pname = "segue";
  version = "0.1.0";

  src = lib.fileset.toSource {
    inherit root;
    fileset = lib.fileset.unions [
      (root + "/.github/LICENSE")
      (root + "/Package.swift")
      (root + "/Sources")
      (root + "/Tests")
    ];
  };

  nativeBuildInputs = [
    pkgs.makeWrapper
    pkgs.pkg-config
    pkgs.swiftpm
    swift
  ];
  buildInputs =
    loaded
    ++ (with pkgs; [
      expat
      ffmpeg
      flac
      libao
      libedit
      libmpg123
      libsndfile
      pcre2
      sqlite
      taglib
      utf8proc
      zlib
    ]);

  # The sandbox has no /usr/bin/env, with which Package.swift looks for FFmpeg.
  postPatch = ''
    substituteInPlace Package.swift --replace-fail /usr/bin/env ${pkgs.coreutils}/bin/env
    patchShebangs Tests/Packaging/install
  '';
  configurePhase = packages.configure;
  # Newer versions of the libraries may declare functions deprecated, which is no reason not to build.
  swiftpmFlags = [
    "-Xswiftc"
    "-no-warnings-as-errors"
  ];
  installPhase = ''
    runHook preInstall
    Tests/Packaging/install "$(swiftpmBinPath)" $out
    wrapProgram $out/bin/segue --prefix LD_LIBRARY_PATH : ${lib.makeLibraryPath loaded}
    runHook postInstall
  '';

  meta = {
    description = "Gapless music player for the command line";
    homepage = "https://segue.invalid/";
    license = lib.licenses.gpl3Plus;
    mainProgram = "segue";
    platforms = [
      "x86_64-linux"
      "aarch64-linux"
    ];
  };
}
