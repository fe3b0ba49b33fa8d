# SPDX-License-Identifier: GPL-3.0-or-later

# Untried, like the code for macOS. The address and the checksum are placeholders until there is a public release.
class Segue < Formula
  desc "Gapless music player for the terminal"
  homepage "https://segue.invalid/"
  url "https://segue.invalid/segue-0.1.0.tar.gz"
  # Placeholder: `shasum -a 256` of the archive.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"

  depends_on "pkgconf" => :build
  # The first with Swift 6.2.
  depends_on xcode: ["26.0", :build]
  depends_on "chafa"
  depends_on "chromaprint"
  depends_on "ffmpeg"
  depends_on "fftw"
  depends_on "flac"
  depends_on "jpeg-turbo"
  depends_on "libao"
  depends_on "libebur128"
  depends_on "libpng"
  depends_on "libsndfile"
  depends_on "libsoxr"
  depends_on macos: :sequoia
  depends_on "mpg123"
  depends_on "pcre2"
  depends_on "pulseaudio"
  depends_on "rubberband"
  depends_on "taglib"
  depends_on "uchardet"
  depends_on "utf8proc"

  uses_from_macos "expat"
  uses_from_macos "libedit"
  uses_from_macos "sqlite"

  def install
    # Newer versions of the libraries may declare functions deprecated, which is no reason not to build.
    args = %w[--configuration release --disable-sandbox -Xswiftc -no-warnings-as-errors]
    system "swift", "build", *args, "--product", "segue"
    system "swift", "build", *args, "--product", "segue-decode"
    system "swift", "build", *args, "--product", "segue-manual"
    bin.install ".build/release/segue", ".build/release/segue-decode"

    (man1/"segue.1").write Utils.safe_popen_read(".build/release/segue-manual")
    (man5/"segue-config.5").write Utils.safe_popen_read(".build/release/segue-manual", "segue-config")
    (man7/"segue-protocol.7").write Utils.safe_popen_read(".build/release/segue-manual", "segue-protocol")
    man1.install "Tests/Packaging/debian/segue-decode.1"
    generate_completions_from_executable(bin/"segue", "completions")
    pkgshare.install "Tests/Packaging/debian/config.toml"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/segue --version").strip
    assert_match "FLAC", shell_output("#{bin}/segue help formats")
  end
end
