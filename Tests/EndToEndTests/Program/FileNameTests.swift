// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// File names that are not valid text, links and link loops, and home directories.
  @Suite(.serialized) struct FileNames {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `A name that is not UTF-8 can be that of a track, an output file or a library`() throws {
      let outcome = try playground.shell(
        """
        d=$(printf 'd\\351'); mkdir "$d"; cp '\(Playground.music)/時計の楽団/日本のうた/03 ちょうちょう.wav' "$d/$(printf '\\377').wav"
        $SEGUE play "$d/$(printf '\\377').wav" --output "raw:$d/$(printf '\\376').raw" || exit 50
        test -s "$d/$(printf '\\376').raw" || exit 51
        $SEGUE albums --library="$d" || exit 52
        HOME="$PWD/$d" $SEGUE play '~' --output raw:/dev/null || exit 53
        SEGUE_STATE_DIR="$d/state" $SEGUE play "$d" --output raw:/dev/null && test -s "$d/state/state.sqlite"
        """)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.count == 4)
    }

    @Test func `A name that is not valid text is shown in a form that can be typed, in the shell and the REPL`()
      throws
    {
      let outcome = try playground.shell(
        """
        d=$(printf 'd\\351'); mkdir -p "m/$d"; cp '\(Playground.music)/時計の楽団/日本のうた/03 ちょうちょう.wav' "m/$d/$(printf 'e\\033[2J\\nx').wav"
        printf x >"m/$d/$(printf 'bad\\377').flac"
        sox -R -n -r 44100 -c 2 -b 16 "m/$d/$(printf 'caf\\351').wav" synth 1 sine
        export SEGUE_LIBRARY=m; $SEGUE scan >/dev/null 2>&1; $SEGUE problems; $SEGUE tracks
        $SEGUE play 'caf\\xE9' --output raw:/dev/null && $SEGUE queue --json && $SEGUE albums || exit 49
        $SEGUE play 'm/d\\xE9/bad\\xFF.flac' --output raw:/dev/null && exit 48
        $SEGUE play 'm/d\\xE9/e\\x1B[2J\\x0Ax.wav' --output raw:/dev/null || exit 50
        """)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("d\\xE9/bad\\xFF.flac"), "\(outcome.output)")
      // The form is used in listings of tracks, albums and the queue, and in errors about unplayable files.
      #expect(outcome.output.contains("\tcaf\\xE9\t") && outcome.output.contains("\td\\xE9\t"), "\(outcome.output)")
      #expect(outcome.output.contains(#""title":"caf\\xE9""#), "\(outcome.output)")
      // Only JSON may have replacement characters, since it also has the bytes of the path.
      #expect(!outcome.lines.contains { !$0.hasPrefix("{") && $0.contains("\u{FFFD}") }, "\(outcome.output)")
      #expect(outcome.errors.contains("d\\xE9/bad\\xFF.flac"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("\u{FFFD}"), "\(outcome.errors)")
      let window = try TerminalWindow(playground)
      try window.type("clear; SEGUE_LIBRARY=m segue repl --output silent\n")
      #expect(window.ends(with: "segue>"), "\(window.rows)")
      try window.type("play ./m/")
      try window.press("Tab")
      #expect(window.ends(with: #"segue> play "./m/d\\xE9/"#), "\(window.rows)")
      try window.type("e")
      try window.press("Tab")
      #expect(window.ends(with: #"segue> play "./m/d\\xE9/e\\x1B[2J\\x0Ax.wav""#), "\(window.rows)")
      try window.press("Enter")
      #expect(window.shows("▶ 0:0"), "\(window.rows)")
    }

    @Test func `Link loops and special files do not hang a scan`() throws {
      let music = playground.directory
      try music.makeDirectory("music/a/b")
      try music.link("music/a/b/up", to: "..")
      try music.link("music/self", to: "self")
      try music.link("music/root", to: playground["music"])
      try music.link("music/zero.mp3", to: "/dev/zero")
      try music.link("music/a/song.flac", to: Playground.canon.appending("04 Gymnopedie No. 1.flac").string)
      try music.makeFIFO("music/fifo.flac")
      let outcome = try playground.segue("albums", "--library", playground["music"])
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 1 && outcome.output.contains("1 track"))
      let problems = try playground.segue("problems", "--library", playground["music"])
      #expect(problems.output.contains("zero.mp3") && problems.output.contains("fifo.flac"))
    }

    @Test func `A tilde means the home directory if no shell has expanded it`() throws {
      try playground.directory.link("home/Music", to: Playground.music.string)
      #expect(try playground.segue("albums", "--library", "~/Music").lines.count == 4)
      #expect(try playground.segue("repl", input: "albums --library ~/Music").lines.count == 4)
      #expect(try playground.segue("play", "~/Music/時計の楽団", "3", "--output", "raw:~/out.raw").status == 0)
      #expect(try FileStatus(of: playground.directory["home/out.raw"]).size > 0)
    }

    @Test func `Names and tags cannot send escapes to the terminal`() throws {
      try playground.directory.write(SoundBytes.wav(), to: "music/\u{1B}[2J\u{9B}31m\u{202E}x.wav")
      for arguments in [["albums"], ["play", "."], ["queue"], ["play", "nosuch\u{1B}[2J"]] {
        let outcome = try playground.run(
          Playground.program.string,
          arguments + (arguments[0] == "play" ? ["--output", "raw:/dev/null"] : []),
          with: ["SEGUE_LIBRARY": playground["music"]])
        let scalars = (outcome.output + outcome.errors).unicodeScalars
        #expect(scalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control })
        #expect(!scalars.contains("\u{202E}"))
      }
    }
  }
}
