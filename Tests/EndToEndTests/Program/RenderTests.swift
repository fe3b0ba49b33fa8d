// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The sound that `--output` writes to files and pipes.
  @Suite(.serialized) struct Rendering {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func expectSame(_ left: [UInt8], _ right: [UInt8], _ location: SourceLocation = #_sourceLocation) {
      if left == right { return }
      let commonCount = zip(left, right).prefix { $0 == $1 }.count
      Issue.record("\(left.count) and \(right.count) bytes, equal up to \(commonCount)", sourceLocation: location)
    }

    /// Returns the files in the album `name` that have the extension `suffix`.
    private static func album(_ name: String, _ suffix: String) throws -> [FilePath] {
      let path = Playground.music.pushing(FilePath(name))
      return try DirectoryListing(of: path).entries.map { path.appending($0.name) }.filter {
        $0.extension == suffix
      }
    }

    @Test func `An album cut from one recording is rendered as that recording`() throws {
      let files = try Self.album("The Clockwork Consort/Ground and Air", "flac")
      var whole: [UInt8] = []
      for file in files {
        let decoding = try playground.run(
          "/usr/bin/env",
          [
            "flac", "-dsf", "--force-raw-format", "--endian=little", "--sign=signed", "-o",
            playground["one.raw"], file.string,
          ])
        #expect(decoding.status == 0)
        whole += try playground.bytes("one.raw")
      }
      #expect(try playground.segue("play", "ground", "--output", "raw:out.raw").status == 0)
      expectSame(try playground.bytes("out.raw"), whole)
      #expect(try playground.segue("play", "ground", "--output", "wav:out.wav").status == 0)
      let wav = try playground.bytes("out.wav")
      #expect(wav.starts(with: Array("RIFF".utf8)))
      expectSame(Array(wav.suffix(whole.count)), whole)
      #expect(wav.count - whole.count < 128)
    }

    @Test func `DSD reaches a sound card bit for bit, unless it has to be converted`() throws {
      var random = SeededGenerator(seed: 1)
      let channels = (0..<2).map { _ in (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) } }
      try playground.directory.write(DSDFiles.dsf(channels), to: "one.dsf")
      let output = "alsa-exclusive:file:\(playground["card"]),raw"
      #expect(try playground.segue("play", "one.dsf", "--output", output).status == 0)
      let words = stride(from: 0, to: 100_000, by: 4).flatMap { index in
        channels.flatMap { $0[index..<index + 4] }
      }
      expectSame(Array(try playground.bytes("card").prefix(words.count)), words)
      for option in ["--volume=50", "--rate=48000", "--depth=24", "--on-format-change=resample"] {
        playground.directory.remove("card")
        #expect(try playground.segue("play", "one.dsf", "--output", output, option).status == 0)
        // 0.28 seconds of PCM, of 24 bits in three or four bytes or of 16 bits.
        let count = try playground.bytes("card").count
        #expect((50_000..<300_000).contains(count) && count != words.count, "\(option): \(count)")
      }
    }

    @Test(arguments: [
      ("Music Box Theatre/Parlour Pieces/CD2", "mp3"), ("Various Artists/Old Tunes, New Friends", "ogg"),
      ("Various Artists/Old Tunes, New Friends", "opus"),
    ])
    func `Files played together sound the same as files played one by one`(directory: String, suffix: String) throws {
      let files = try Self.album(directory, suffix)
      #expect(files.count > 1)
      try playground.directory.makeDirectory("album")
      var separate: [UInt8] = []
      for (index, file) in files.enumerated() {
        try playground.directory.link("album/\(index).\(suffix)", to: file.string)
        #expect(try playground.segue("play", file.string, "--output", "raw:one.raw").status == 0)
        separate += try playground.bytes("one.raw")
      }
      #expect(separate.contains { $0 != 0 })
      let outcome = try playground.segue("play", playground["album"], "--output", "raw:out.raw")
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == files.count)
      expectSame(try playground.bytes("out.raw"), separate)
    }

    @Test func `One plain line is printed per track, starting with the given track`() throws {
      let outcome = try playground.segue("play", "日本", "2", "--output", "raw:out.raw")
      #expect(
        outcome.lines == [
          "2/3 荒城の月 - 時計の楽団 - 日本のうた (0:16)", "3/3 ちょうちょう - 時計の楽団 - 日本のうた (0:12)",
        ])
      #expect(outcome.errors.isEmpty && !outcome.output.contains("\u{1B}"))
    }

    @Test func `If the sound goes to standard output, nothing else does`() throws {
      #expect(try playground.shell("$SEGUE play ground 2 --output raw:- >pipe.raw").status == 0)
      #expect(try playground.segue("play", "ground", "2", "--output", "raw:file.raw").status == 0)
      expectSame(try playground.bytes("pipe.raw"), try playground.bytes("file.raw"))
    }

    @Test func `Rendering never overwrites a track that is played`() throws {
      let track = Playground.canon.appending("04 Gymnopedie No. 1.flac")
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: track.string)))
      try playground.directory.write(bytes, to: "album/a.flac")
      try playground.directory.link("link.wav", to: "album/a.flac")
      for output in ["album/a.flac", "link.wav", "./album/../album/a.flac"] {
        let outcome = try playground.segue("play", "./album", "--output", "wav:\(output)")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("is one of the tracks"))
      }
      let script = try playground.segue("repl", "--output", "wav:link.wav", input: "play ./album")
      #expect(script.status == 1)
      expectSame(try playground.bytes("album/a.flac"), bytes)
    }

    @Test func `A full disk is reported as such`() throws {
      let outcome = try playground.shell(
        """
        mkdir small && exec unshare -rm sh -c 'mount -t tmpfs -o size=300k tmpfs small || exit 99
        $SEGUE play ground --output wav:small/out.wav'
        """)
      // Some containers do not permit mounting.
      if outcome.status == 99 || outcome.errors.contains("unshare") { return }
      #expect(outcome.status == 6)
      #expect(outcome.errors.contains("small/out.wav: incomplete write; is the disk full"))
    }

    @Test func `A pipe is written at its reader's pace, and a lost reader ends playback`() throws {
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:file.raw").status == 0)
      let slow = try playground.shell(
        """
        $SEGUE play ground 4 --output raw:- | (for i in 1 2 3; do head -c 100000; sleep 0.05; done; cat) >slow.raw
        exit ${PIPESTATUS[0]}
        """)
      #expect(slow.status == 0)
      expectSame(try playground.bytes("slow.raw"), try playground.bytes("file.raw"))
      let lostReader = try playground.shell(
        "$SEGUE play ground --output raw:- | head -c 100000 >gone.raw; exit ${PIPESTATUS[0]}")
      #expect(lostReader.status == 6)
      #expect(lostReader.errors.contains("did the reader close it"))
    }

    @Test func `A player waits for the reader of a FIFO`() throws {
      try playground.directory.makeFIFO("fifo")
      let outcome = try playground.shell(
        """
        $SEGUE play ground 4 --output raw:fifo 2>errors & segue=$!
        until grep -qs "no reader" errors; do sleep 0.05; done
        head -c 20000 <fifo >heard.raw
        until grep -q "the reader has closed it" errors; do sleep 0.05; done
        kill $segue; wait $segue; s=$?; cat errors >&2; exit $s
        """)
      #expect(try playground.segue("play", "ground", "4", "--output", "raw:file.raw").status == 0)
      expectSame(try playground.bytes("heard.raw"), Array(try playground.bytes("file.raw").prefix(20_000)))
      #expect(outcome.status == 143)
      let lines = outcome.errors.split(separator: "\n")
      #expect(
        lines == [
          "segue: reopening the output: fifo: no reader", "segue: the output device is back",
          "segue: reopening the output: fifo: the reader has closed it",
        ])
    }

    @Test func `Broken files are skipped with a reason, and the others are played`() throws {
      let outcome = try playground.segue("play", Playground.broken.string, "--output", "raw:out.raw")
      #expect(outcome.status == 0)
      for name in [
        "empty.flac", "text.mp3", "255-channels.wav", "header-only.flac",
      ] {
        #expect(
          outcome.errors.split(separator: "\n").filter { $0.contains("skipped") && $0.contains("/\(name): ") }
            .count == 1)
      }
      #expect(outcome.lines.contains { $0.contains("vbr-no-xing") })
      #expect(
        !outcome.errors.unicodeScalars.contains("\u{1B}") && !outcome.output.unicodeScalars.contains("\u{1B}")
      )
    }
  }
}
