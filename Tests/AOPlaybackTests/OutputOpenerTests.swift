import AOPlayback
import AudioCore
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

/// libao may be started once in a process.
private let system: AOSystem = {
  let system = AOSystem()
  system.start()
  return system
}()

@Suite(.serialized) struct OutputOpenerTests {
  private func format(_ depth: SampleDepth, rate: Int = 44_100, channels: Int = 2) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
  }

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  private func write(_ bytes: [UInt8], to output: any AudioOutput) throws {
    // With a closure that throws `OutputError` only, the compiler crashes (Swift 6.3.1).
    let result = bytes.withUnsafeBytes { buffer in
      Result { try output.write(buffer) }
    }
    try result.get()
  }

  @Test(arguments: ["wav", "au", "raw"], [SampleDepth.bits16, .bits24])
  func `a file holds every sample that was given`(driver: String, depth: SampleDepth) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("out.\(driver)")
    let opener = OutputOpener(.file(driver: driver, path), system: system)
    let output = try opener.open(format(depth))
    // libao writes AU files of 16 bits at most.
    let depth = driver == "au" ? SampleDepth.bits16 : depth
    #expect(output.format == format(depth) && !output.keepsTime)
    let given = bytes(6 * depth.byteCount * 1000)
    try write(given, to: output)
    try write(given, to: output)
    try output.close()
    let held =
      driver == "raw"
      ? try contents(of: path)
      : try Tool.run(
        "sox", ["-D", path.string, "-t", "raw", "-L", "-e", "signed", "-b", "\(depth.rawValue)", "-"])
    #expect(
      PCM.firstDifference(
        PCM.samples(held, depth: depth), PCM.samples(given + given, depth: depth), channels: 2) == nil)
  }

  @Test func `another format, or another playing, gets a numbered file, with a warning`() throws {
    let directory = try TemporaryDirectory()
    let opener = OutputOpener(.file(driver: "wav", directory.file("out.wav")), system: system)
    let formats = [
      format(.bits16), format(.bits16, rate: 48_000), format(.bits24, rate: 48_000, channels: 1),
    ]
    for (index, format) in formats.enumerated() {
      let output = try opener.open(format)
      #expect((output.warning == nil) == (index == 0))
      try write(bytes(format.frameByteCount * 100), to: output)
      try output.close()
    }
    for (name, rate) in [("out.wav", "44100"), ("out-2.wav", "48000"), ("out-3.wav", "48000")] {
      let text = String(decoding: try Tool.run("soxi", ["-r", directory.file(name).string]), as: UTF8.self)
      #expect(text == rate + "\n")
    }
  }

  @Test func `a device that is full is an error, at the latest when closing`() throws {
    let opener = OutputOpener(.file(driver: "raw", "/dev/full"), system: system)
    let output = try opener.open(format(.bits16))
    let error = #expect(throws: OutputError.self) {
      for _ in 0..<20 { try write(bytes(4096), to: output) }
      try output.close()
    }
    #expect(error?.kind == .incomplete)
    #expect(error?.description.contains("/dev/full") == true)
    #expect(error?.description.contains("No space left on device") == true)
    try? output.close()
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
    let opener = OutputOpener(.file(driver: driver, directory.file("out")), system: system)
    let output = try opener.open(format(.bits16))
    let error = #expect(throws: OutputError.self) {
      for _ in 0..<40 { try write(bytes(4096), to: output) }
      try output.close()
    }
    #expect(error?.kind == .incomplete)
    try? output.close()
  }

  @Test(arguments: [("", "directory"), ("none/out.wav", "No such file")])
  func `what cannot be written is an error that says why`(name: String, reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = name.isEmpty ? directory.path : directory.path.pushing(FilePath(name))
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.file(driver: "wav", path), system: system).open(format(.bits16))
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains(path.string) == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["nonesuch", "wav", ""])
  func `a driver that is none, or is one for files, is unknown as a device`(name: String) {
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.live(driver: name, device: nil), system: system).open(format(.bits16))
    }
    #expect(error?.kind == .unknownDriver)
  }

  @Test func `silence keeps time`() throws {
    let output = try OutputOpener(.silent, system: system).open(format(.bits16))
    #expect(output.keepsTime)
    let start = MonotonicInstant.now
    for _ in 0..<10 { try write(bytes(441 * 4), to: output) }
    try output.close()
    #expect(MonotonicInstant.now >= start.advanced(byMilliseconds: 95))
  }

  @Test func `drivers for devices come before those for files`() {
    let kinds = system.drivers.map(\.kind)
    #expect(kinds.contains(.file))
    #expect(kinds.drop { $0 == .live }.allSatisfy { $0 == .file })
    #expect(system.driver(named: "wav")?.kind == .file)
    #expect(system.driver(named: "nonesuch") == nil)
  }
}
