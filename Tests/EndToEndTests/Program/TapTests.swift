// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The FIFO that also gets what is heard.
  @Suite struct Taps {
    private let playground: Playground
    private let noise = Noise(seed: 12, frames: 44_100)

    init() throws {
      playground = try Playground(isScanned: false)
      try noise.write("noise.flac", in: playground.directory)
    }

    private func play(_ before: String, _ after: String = "wait") throws -> Playground.Outcome {
      try playground.shell(
        "\(before); '\(Playground.program)' play noise.flac --output silent --tap fifo; status=$?; \(after); exit $status"
      )
    }

    @Test func `a reader gets every sample, at the speed at which it is heard`() throws {
      let outcome = try play("mkfifo fifo; timeout 60 cat fifo > copy & sleep 0.3")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let copy = PCM.samples(try playground.bytes("copy"), depth: .bits16)
      // A reader that came too late would miss the beginning.
      #expect(copy.count > noise.samples.count / 2)
      let difference = PCM.firstDifference(copy, Array(noise.samples.suffix(copy.count)), channels: 2)
      if let difference { Issue.record("\(difference)") }
    }

    @Test(arguments: ["", "mkfifo fifo; sleep 5 < fifo &", "mkfifo fifo; head -c 4000 fifo > copy &"])
    func `without a reader, or with one that is slow or leaves, the music plays as usual`(reader: String) throws {
      let start = ContinuousClock.now
      let outcome = try play("\(reader) sleep 0.2", "true")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `another kind of file is not overwritten`() throws {
      let outcome = try play("echo precious > fifo")
      #expect(outcome.status == 2 && outcome.errors == "segue: fifo is not a FIFO\n", "\(outcome)")
      #expect(try playground.bytes("fifo") == Array("precious\n".utf8))
    }

    @Test func `rendering to a file has no tap`() throws {
      let outcome = try playground.run(
        Playground.program.string, ["play", "noise.flac", "--output", "wav:a.wav", "--tap", "fifo"])
      #expect(
        outcome.status == 2 && outcome.errors.contains("--tap cannot be used when writing to a file"), "\(outcome)")
    }
  }
}
