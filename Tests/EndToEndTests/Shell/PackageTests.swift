import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The manual, and the Debian package in which it is.
  @Suite(.serialized) struct Package {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `The manual is set without warnings, and has the sections that manuals have`() throws {
      let set = try playground.shell(
        "$SEGUE manual > segue.1 && mandoc -T lint -W warning segue.1 && groff -k -mdoc -ww -Tutf8 segue.1 > segue.txt && mandoc -T ascii segue.1 | col -bx"
      )
      #expect(set.status == 0 && set.errors.isEmpty, "\(set.errors)")
      for section in [
        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "ENVIRONMENT", "FILES", "EXIT STATUS",
        "EXAMPLES", "SEE ALSO",
      ] { #expect(set.lines.contains(section), "\(section)") }
      #expect(set.output.contains("segue queue sort duration --reverse"))
      #expect(set.output.contains("segue - plays music"))
    }

    @Test func `Without its library of tags it says so, forgets nothing, and reads on once that is there`()
      throws
    {
      // By its contents, which TagLib alone looks at, the second is one like the first.
      let whole = try playground.shell(
        """
        mkdir -p bin lib/segue music && cp "$SEGUE" bin/ && cp "$(dirname "$SEGUE")/libSegueTags.so" lib/segue/
        cp "\(Playground.canon)"/01*.flac music/plain.flac && cp music/plain.flac music/other.mp3
        export SEGUE_LIBRARY=$PWD/music && bin/segue tracks
        """)
      #expect(
        whole.errors.isEmpty && whole.lines.count { $0.contains("Ground and Air") } == 2, "\(whole.output)")
      let bare = try playground.shell(
        """
        export SEGUE_LIBRARY=$PWD/music; mv lib/segue/libSegueTags.so kept; touch -d '2001-01-01' music/*
        cp music/plain.flac music/new.flac; bin/segue scan; echo "status $?"; bin/segue tracks 2>/dev/null
        bin/segue play music/other.mp3 --output raw:sound && wc -c < sound
        """)
      #expect(
        bare.errors.hasPrefix(
          "segue: this installation is not complete, and not all tags can be read: install "),
        "\(bare.errors)")
      #expect(
        bare.errors.contains("segue: the library cannot be read: libSegueTags.so is not there; install "),
        "\(bare.errors)")
      #expect(
        bare.lines.contains("status 1") && bare.lines.last.flatMap { Int($0) } ?? 0 > 1_000_000,
        "\(bare.output)")
      #expect(bare.lines.count { $0.contains("Ground and Air") } == 2, "\(bare.output)")
      for (made, reason) in [
        ("echo broken > lib/segue/libSegueTags.so", "libSegueTags.so: file too short"),
        ("cp /lib/*/libz.so.1 lib/segue/libSegueTags.so", "libSegueTags.so is of another version"),
      ] {
        let broken = try playground.shell("export SEGUE_LIBRARY=$PWD/music; \(made); bin/segue scan")
        #expect(broken.status == 1 && broken.errors.contains("\(reason); install "), "\(broken.errors)")
      }
      let mended = try playground.shell(
        "export SEGUE_LIBRARY=$PWD/music; cp kept lib/segue/libSegueTags.so; bin/segue scan; bin/segue problems"
      )
      #expect(mended.status == 0 && mended.errors.isEmpty, "\(mended.errors)")
      // Of the two, only the scan has something to say.
      #expect(mended.lines == ["1 added, 2 changed"], "\(mended.output)")
    }

    @Test func `The Debian package is installed, runs, and is where man and the shells look`() throws {
      let script = Playground.root.appending("Tests").appending("Packaging").appending("deb")
      let built = try playground.shell("\(script) $SEGUE segue.deb -Znone")
      #expect(built.status == 0, "\(built.errors)")
      let installed = try playground.shell(
        """
        mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/log && : > root/var/lib/dpkg/status
        PATH=$PATH:/usr/sbin:/sbin dpkg --root=root --force-not-root --force-depends -i segue.deb
        """)
      #expect(installed.status == 0, "\(installed.errors)")
      let listed = try playground.shell("dpkg --root=root -L segue; dpkg --root=root -s segue")
      for part in [
        "/usr/bin/segue", "/usr/lib/segue/libSegueTags.so", "/usr/share/doc/segue/copyright",
        "/usr/share/applications/segue.desktop",
        "Status: install ok", "Version: 0.1.0",
        "libsndfile1", "libao4", "libtag1v5",
      ] { #expect(listed.output.contains(part), "\(part)") }
      let root = playground["root"]
      #expect(try playground.shell("root/usr/bin/segue --version").output == "0.1.0\n")
      let albums = try playground.shell("root/usr/bin/segue albums")
      #expect(albums.lines.count == 4 && albums.errors.isEmpty, "\(albums.errors)")
      // Each finds it by itself, where its own search leads into the private root.
      let page = try playground.shell("man -M \(root)/usr/share/man -w segue")
      #expect(page.output == "\(root)/usr/share/man/man1/segue.1.gz\n", "\(page.errors)")
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
