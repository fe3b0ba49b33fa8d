// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Runs every example of README.md and the manual, in a home that has the music they name.
  @Suite struct Examples {
    private let playground: Playground

    init() throws {
      let empty = try Playground(isScanned: false)
      playground = Playground(
        empty, with: ["SEGUE_OUTPUT": "silent", "SEGUE_LIBRARY": empty["home/Music"], "MANPAGER": "cat"])
    }

    /// Returns the commands in these lines, without what explains them; each line begins with `indent`.
    private func commands(in lines: [String], indent: String) -> [String] {
      var commands: [String] = []
      var isContinued = false
      for line in lines {
        let text = line.components(separatedBy: "  ").first { !$0.isEmpty } ?? ""
        if isContinued {
          commands[commands.count - 1] += " " + text
        } else if line.hasPrefix(indent), ["segue ", "printf "].contains(where: line.dropFirst(indent.count).hasPrefix)
        {
          commands.append(text)
        } else {
          continue
        }
        isContinued = commands[commands.count - 1].hasSuffix(#"\"#)
        if isContinued { commands[commands.count - 1].removeLast() }
      }
      return commands
    }

    /// Returns the commands in the displayed blocks of a manual page.
    private func commands(inPage name: String) throws -> [String] {
      let page = try playground.shell("$(dirname $SEGUE)/segue-manual \(name)")
      #expect(page.status == 0)
      return page.output.components(separatedBy: "\n.Bd").dropFirst().flatMap { block in
        var text = block.components(separatedBy: "\n.Ed")[0]
        for (escape, character) in [
          (#"\-"#, "-"), (#"\(ti"#, "~"), (#"\(dq"#, "\""), (#"\(aq"#, "'"), (#"\e"#, #"\"#),
        ] {
          text = text.replacing(escape, with: character)
        }
        return commands(in: text.components(separatedBy: "\n"), indent: "")
      }
    }

    private func examples() throws -> [String] {
      let manual = Playground.root.appending("Sources").appending("Faces").appending("Commands").appending("Manual")
      let topics = manual.appending("Topics").string
      var files = try FileManager.default.contentsOfDirectory(atPath: topics).sorted().map { "\(topics)/\($0)" }
      files.append(Playground.root.appending("README.md").string)
      var examples = try files.flatMap { file in
        let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
        return commands(in: lines, indent: "    ")
      }
      for page in ["segue", "segue-config", "segue-protocol"] { examples += try commands(inPage: page) }
      return Set(examples).sorted()
    }

    /// Names in examples that only exist on the reader's machine, and what stands for them here.
    private static let substitutes = [
      ("alsa-exclusive:dop:hw:1", "alsa-exclusive:dop:null"), ("alsa-exclusive:hw:1", "alsa-exclusive:null"),
      ("alsa:hw:1", "silent"),
      ("--output pulse:hdmi", "--output silent"), ("--output pulse", "--output silent"),
      ("--output ao:pulse", "--output silent"), ("fifo:/tmp/snapfifo", "fifo:~/snapfifo"),
      ("fifo:/tmp/fifo", "fifo:~/snapfifo"), ("--tap /tmp/segue.fifo", "--output silent"),
      ("/mnt/music", "~/mnt/music"), ("/srv/music", "~/srv/music"), ("localhost", "localhost:$port"),
      ("'*'", "\"*:$port\""), ("127.0.0.1:6600", "127.0.0.1:$port"), ("192.168.1.5:6600", "127.0.0.1:$port"),
    ]

    private static let world = #"""
      set -o pipefail
      segue() { "$SEGUE" "$@"; }
      export -f segue
      port=$((20000 + $$ % 20000))
      cd ~ && mkdir -p Music/Album Downloads mnt srv .config/segue .zfunc .config/fish/completions \
        .local/share/man/man1 .local/share/bash-completion/completions
      tone() { sox -R -n -r 8000 -c 1 -b 16 "$1.wav" synth "$2" sine 400 gain -20; }
      tone long 100; tone short 0.2
      track() { flac -s -f --tag=TITLE="$3 $2" --tag=ALBUM="$3" --tag=ARTIST="$4" --tag=DATE="$5" --tag=GENRE="$6" \
        --tag=TRACKNUMBER="$2" -o "Music/$3/$2.flac" "$1.wav"; }
      album() { mkdir -p "Music/$3" && for n in $(seq -w "$2"); do track "$1" "$n" "${@:3}"; done; }
      album long 5 "Kind of Blue" "Miles Davis" 1959 Jazz
      metaflac --remove-tag=TITLE --set-tag=TITLE="Blue in Green" "Music/Kind of Blue/3.flac"
      album long 1 "Blue Haze" "Miles Davis" 1956 Blues
      album long 2 "Blue Train" "John Coltrane" 1957 Jazz
      album short 12 Low "David Bowie" 1977 Rock
      album short 1 Dummy Portishead 1994 "Trip Hop"
      flac -s -o Music/one.flac short.wav
      flac -s $(for n in $(seq -w 12); do echo "--tag=CHAPTER0$n=00:00:$n"; done) -o book.flac long.wav
      flac -s -o Music/Album/Image.flac long.wav
      printf 'FILE "Image.flac" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:50:00\n' \
        > Music/Album/Album.cue
      sed 's|Image|Album/Image|' Music/Album/Album.cue > Music/Album.cue
      cp -r "Music/Blue Haze" mnt/music; cp -r "Music/Blue Haze" srv/music
      for track in Music/*/*.flac; do echo "A line of a song" > "${track%.flac}.txt"; done
      echo "$HOME/Music/Low/01.flac" > Downloads/mix.m3u
      echo 'volume 80' > script.txt
      (umask 077; echo 'secret@read,add,control,admin' > .config/segue/passwords)
      mkfifo snapfifo
      printf 'Preamp: -6 dB\nFilter 1: ON PK Fc 105 Hz Gain 4.2 dB Q 0.70\n' > eq.txt
      for name in HD650 "HD 650 ParametricEQ" "Sennheiser HD 650 ParametricEQ"; do cp eq.txt "$name.txt"; done

      start() { segue serve "$@" > serve.log 2>&1 & server=$!; await 'segue volume > /dev/null 2>&1'; }
      # Ends the server. The next player must not play for ever.
      finish() {
        segue mode repeat off > /dev/null; segue mode keep-playing off > /dev/null
        segue quit 2> /dev/null; wait "$server" 2> /dev/null
      }
      # A paused player with a queue of 20 tracks, edits to undo and to redo, and two playlists. The modes that earlier
      # examples have set would stop it after the fifth track, which is short.
      cat > prepare.txt <<'END'
      mode repeat off
      mode keep-playing off
      mode single off
      mode stop-after off
      mode consume off
      queue clear
      queue add year:1950..1980
      queue play 5
      pause
      queue shuffle
      queue shuffle
      queue shuffle
      queue undo 3
      playlist save --force Evening
      playlist save --force Morning
      END
      prepare() {
        segue volume > /dev/null 2>&1 || { finish; start; }
        segue repl < prepare.txt > /dev/null 2> err
        # The numbers of the examples are those of this queue, and not of the one that was listed last.
        segue queue > /dev/null
      }
      # Runs a command on a terminal.
      onTerminal() { SHELL=$BASH script -qec "$1" /dev/null; }
      # Runs an example as a job that is the program itself, so that stopping the job stops the program.
      program() {
        segue() { exec "$SEGUE" "$@"; }
        eval "$1"
      }
      # Runs an example that goes on until it is stopped: waits until it has printed something.
      follow() {
        # Until the job runs and empties it, the file holds the output of the previous example.
        rm -f out
        program "$1" > out 2> err & local job=$!
        await '[ -s out ] || ! kill -0 '$job' 2> /dev/null || { segue volume +1; segue volume -1; [ -s out ]; } > /dev/null'
        kill "$job" 2> /dev/null && [ -s out ]
      }
      serve() {
        eval "$1" > serve.log 2> err & server=$!
        await 'segue volume > /dev/null 2>&1 || ! kill -0 '$server' 2> /dev/null' && segue quit && wait "$server"
      }
      # Runs an example that writes to a FIFO, in real time: waits for its first bytes.
      stream() {
        program "$1" > out 2> err & local job=$!
        # The reader stays until the program has ended.
        { head -c 1000 > /dev/null; kill "$job"; wait "$job"; } < ~/snapfifo
      }
      run() {
        local status
        case $1 in
          "segue serve"*) finish; serve "${1%&}" ;;
          "segue now") prepare && follow "onTerminal '$1'" ;;
          "segue equalizer import"*) rm -rf .config/segue/equalizer; eval "$1" > out 2> err ;;
          "segue equalizer"*)
            segue volume > /dev/null 2>&1 || start
            rm -rf .config/segue/equalizer; mkdir .config/segue/equalizer
            for name in "HD 650" HD650 "Sennheiser HD 650" Speakers; do cp eq.txt ".config/segue/equalizer/$name.txt"; done
            eval "$1" > out 2> err ;;
          "segue chapter"*)
            prepare && segue play ./book.flac > /dev/null
            await 'segue status --json | grep -q chapterCount' && eval "$1" > out 2> err ;;
          "segue loop"*) prepare && segue play "Kind of Blue" > /dev/null && eval "$1" > out 2> err ;;
          "segue tracks rating:4.. plays:0") prepare && segue rate 4 "Blue in Green" > /dev/null && $1 > out 2> err ;;
          # Afterwards, the player must have an output again.
          "segue outputs prefer"*)
            prepare && eval "$1" > out 2> err && segue outputs prefer none > /dev/null && segue outputs use silent ;;
          "segue tracks plays:0 liked"*) prepare && segue like "Blue in Green" > /dev/null && eval "$1" > out 2> err ;;
          "segue albums albumrating"*) prepare && segue rate --album 4 Low > /dev/null && $1 > out 2> err ;;
          "segue ratings import"*)
            prepare && segue rate 4 "Blue in Green" > /dev/null && segue ratings export > file
            cp file ratings.jsonl; $1 > out 2> err ;;
          "segue watch"*) prepare && follow "${1%%|*}" ;;
          *"--output fifo:"*) finish; stream "$1"; [ $? = 143 ] ;;
          *--output*) finish; eval "$1" < /dev/null > out 2> err ;;
          "segue playlist save Evening") prepare && segue playlist delete Evening > /dev/null && $1 > out 2> err ;;
          # Only on a terminal, a listing has numbers.
          "segue playlist play 2") prepare && onTerminal 'segue playlist' > /dev/null && $1 > out 2> err ;;
          "segue playlist create"*) prepare && eval "$1" < /dev/null > out 2> err && rm ~/Music/Playlists/*.toml ;;
          "segue queue forget work"*)
            prepare && segue queue use work > /dev/null && segue queue use default > /dev/null && $1 > out 2> err ;;
          # There is nobody who types, no account, and no server.
          "segue scrobble log"* | "segue scrobble send") prepare && { $1 < /dev/null > out 2> err; [ $? -le 3 ]; } ;;
          *) prepare && eval "$1" < /dev/null > out 2> err ;;
        esac
        status=$?
        [ $status = 0 ] && ! grep -q '^Error' err || { echo "$status: $1"; cat err; }
      }

      """#

    /// In parts, since a script that takes long is killed.
    @Test(arguments: 0..<10) func `Every example of the README and the manual succeeds`(part: Int) throws {
      let examples = try examples()
      #expect(examples.count > 120)
      let script = examples.enumerated().filter { $0.offset % 10 == part }.map { _, example in
        let command = Self.substitutes.reduce(example) { $0.replacing($1.0, with: $1.1) }
        return "run '\(command.replacing("'", with: #"'\''"#))'\n"
      }
      let outcome = try playground.shell(Self.world + script.joined() + "finish\n")
      #expect(outcome.status == 0)
      #expect(outcome.output.isEmpty, "\(outcome.output)")
    }
  }
}
