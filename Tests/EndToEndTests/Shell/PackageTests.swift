// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The manual, and the Debian packages that contain it.
  @Suite(.serialized) struct Package {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `The manual is formatted without warnings, and has the usual sections`() throws {
      let formatted = try playground.shell(
        "$(dirname $SEGUE)/segue-manual > segue.1 && mandoc -T lint -W warning segue.1 && groff -k -mdoc -ww -Tutf8 segue.1 > segue.txt && mandoc -T ascii segue.1 | col -bx"
      )
      #expect(formatted.status == 0 && formatted.errors.isEmpty, "\(formatted.errors)")
      for section in [
        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "ENVIRONMENT", "FILES", "EXIT STATUS",
        "EXAMPLES", "SEE ALSO",
      ] { #expect(formatted.lines.contains(section), "\(section)") }
      #expect(formatted.output.contains("segue queue sort duration --reverse"))
      #expect(formatted.output.contains("segue - gapless music player"))
    }

    @Test(arguments: ["segue-config", "segue-protocol"])
    func `A further page of the manual is formatted without warnings`(page: String) throws {
      let formatted = try playground.shell(
        "$(dirname $SEGUE)/segue-manual \(page) > page && mandoc -T lint -W warning page && groff -k -mdoc -ww -Tutf8 page > page.txt && mandoc -T ascii page | col -bx"
      )
      #expect(formatted.status == 0 && formatted.errors.isEmpty, "\(formatted.errors)")
      #expect(formatted.lines.contains("NAME") && formatted.lines.contains("SEE ALSO"))
    }

    @Test func `The Debian packages install, the program runs, and man and the shells find its files`() throws {
      let script = Playground.root.appending("Tests").appending("Packaging").appending("build-deb")
      let built = try playground.shell(
        """
        export DEB_BUILD_OPTIONS='nostrip noautodbgsym' DPKG_DEB_COMPRESSOR_TYPE=none
        \(script) --prebuilt $(dirname $SEGUE)
        """)
      #expect(built.status == 0, "\(built.errors)")
      let installed = try playground.shell(
        """
        mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/log && : > root/var/lib/dpkg/status
        PATH=$PATH:/usr/sbin:/sbin dpkg --root=root --force-not-root --force-depends -i segue_*.deb segue-decode_*.deb
        """)
      #expect(installed.status == 0, "\(installed.errors)")
      let listed = try playground.shell(
        "for name in segue segue-decode; do dpkg --root=root -L $name; dpkg --root=root -s $name; done")
      for part in [
        "/usr/bin/segue", "/usr/bin/segue-decode", "/usr/share/doc/segue/copyright",
        "/usr/share/man/man1/segue-decode.1.gz", "/usr/share/applications/segue.desktop",
        "/usr/share/icons/hicolor/scalable/apps/segue.svg",
        "/usr/share/metainfo/io.github.segue_player.segue.metainfo.xml",
        "/usr/lib/systemd/user/segue.service", "/usr/lib/systemd/user/segue.socket",
        "Status: install ok", "Version: 0.1.0",
        "libsndfile1", "libao4", "libtag", "libavformat",
      ] { #expect(listed.output.contains(part), "\(part)") }
      let sample = try playground.shell(
        """
        sed 's/^#//; /^ /d' root/usr/share/doc/segue/examples/config.toml > sample.toml
        SEGUE_CONFIG=$PWD/sample.toml root/usr/bin/segue config
        """)
      #expect(sample.status == 0 && sample.errors.isEmpty, "\(sample.errors)")
      #expect(sample.output.contains("sample.toml:"))
      let root = playground["root"]
      #expect(try playground.shell("root/usr/bin/segue --version").output == "0.1.0\n")
      let albums = try playground.shell("root/usr/bin/segue albums")
      #expect(albums.lines.count == 4 && albums.errors.isEmpty, "\(albums.errors)")
      // Each program is given only the private root, and has to find the files there itself.
      let mainPage = try playground.shell("man -M \(root)/usr/share/man -w segue")
      #expect(mainPage.output == "\(root)/usr/share/man/man1/segue.1.gz\n", "\(mainPage.errors)")
      let otherPages = try playground.shell("man -M \(root)/usr/share/man -w segue-config segue-protocol")
      #expect(otherPages.lines.count == 2, "\(otherPages.errors)")
      let bash = try playground.shell(
        """
        export PATH=\(root)/usr/bin:$PATH XDG_DATA_DIRS=\(root)/usr/share
        source /usr/share/bash-completion/bash_completion
        _completion_loader segue; complete -p segue
        COMP_LINE='segue play par' COMP_POINT=14 COMP_WORDS=(segue play par) COMP_CWORD=2
        _segue segue par play 2>/dev/null; echo "${COMPREPLY[0]}"
        """)
      #expect(bash.lines == ["complete -o nosort -F _segue segue", "Parlour\\ Pieces"], "\(bash.errors)")
      let zsh = try playground.run(
        "/usr/bin/zsh",
        [
          "-f", "-c",
          "fpath=(\(root)/usr/share/zsh/vendor-completions $fpath); autoload -Uz compinit; compinit -D -u; echo $_comps[segue]",
        ])
      #expect(zsh.output == "_segue\n", "\(zsh.errors)")
      let fish = try playground.run(
        "/usr/bin/fish", ["-c", "set -x PATH \(root)/usr/bin $PATH; complete -C 'segue play Par'"],
        with: ["XDG_DATA_DIRS": "\(root)/usr/share"])
      #expect(fish.output == "Parlour Pieces\n", "\(fish.errors)")
    }
  }
}
