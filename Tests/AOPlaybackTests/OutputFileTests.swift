// SPDX-License-Identifier: GPL-3.0-or-later

import AOPlayback
import AudioCore
import Outputs
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// Files that libao writes, as sox reads them, and a file system that is too small.
  @Suite(.serialized) struct OutputFileTests {
    @Test(arguments: ["wav", "au", "raw"], [SampleDepth.bits16, .bits24])
    func `a file contains every sample that was written`(driver: String, depth: SampleDepth) throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("out.\(driver)")
      let opener = OutputOpener(.file(driver: driver, path), drivers: AODrivers(system))
      let output = try opener.open(SoundWriting.format(depth))
      // libao writes AU files of 16 bits at most.
      let depth = driver == "au" ? SampleDepth.bits16 : depth
      #expect(output.format == SoundWriting.format(depth) && !output.isRealTime)
      let written = SoundWriting.bytes(6 * depth.byteCount * 1000)
      try SoundWriting.write(written, to: output)
      try SoundWriting.write(written, to: output)
      try output.close()
      let stored =
        driver == "raw"
        ? try contents(of: path)
        : try Tool.run(
          "sox", ["-D", path.string, "-t", "raw", "-L", "-e", "signed", "-b", "\(depth.rawValue)", "-"])
      #expect(
        PCM.firstDifference(
          PCM.samples(stored, depth: depth), PCM.samples(written + written, depth: depth), channels: 2) == nil)
    }

    @Test func `another format, or another opening, gets a numbered file, with a warning`() throws {
      let directory = try TemporaryDirectory()
      let opener = OutputOpener(.file(driver: "wav", directory.file("out.wav")), drivers: AODrivers(system))
      let formats = [
        SoundWriting.format(.bits16), SoundWriting.format(.bits16, rate: 48_000),
        SoundWriting.format(.bits24, rate: 48_000, channels: 1),
      ]
      for (index, format) in formats.enumerated() {
        let output = try opener.open(format)
        #expect((output.warning == nil) == (index == 0))
        try SoundWriting.write(SoundWriting.bytes(format.frameByteCount * 100), to: output)
        try output.close()
      }
      for (name, rate) in [("out.wav", "44100"), ("out-2.wav", "48000"), ("out-3.wav", "48000")] {
        let text = String(decoding: try Tool.run("soxi", ["-r", directory.file(name).string]), as: UTF8.self)
        #expect(text == rate + "\n")
      }
    }

    @Test(arguments: ["wav", "raw"])
    func `a full disk is an error`(driver: String) throws {
      let directory = try TemporaryDirectory()
      do {
        try Tool.run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", directory.path.string])
      } catch {
        try Test.cancel("no small file system can be mounted here")
      }
      defer { _ = try? Tool.run("umount", [directory.path.string]) }
      let opener = OutputOpener(.file(driver: driver, directory.file("out")), drivers: AODrivers(system))
      let output = try opener.open(SoundWriting.format(.bits16))
      let error = #expect(throws: OutputError.self) {
        for _ in 0..<40 { try SoundWriting.write(SoundWriting.bytes(4096), to: output) }
        try output.close()
      }
      #expect(error?.kind == .incomplete)
      try? output.close()
    }
  }
}
