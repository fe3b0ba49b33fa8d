import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import AOPlayback

@Suite(.serialized) struct OutputOpenerTests {
  @Test func `a device that is full is an error, at the latest when closing`() throws {
    let opener = OutputOpener(.file(driver: "raw", "/dev/full"), system: system)
    let output = try opener.open(SoundWriting.format(.bits16))
    let error = #expect(throws: OutputError.self) {
      for _ in 0..<20 { try SoundWriting.write(SoundWriting.bytes(4096), to: output) }
      try output.close()
    }
    #expect(error?.kind == .incomplete)
    #expect(error?.description.contains("/dev/full") == true)
    #expect(error?.description.contains("No space left on device") == true)
    try? output.close()
  }

  @Test(arguments: [("", "directory"), ("none/out.wav", "No such file")])
  func `what cannot be written is an error that says why`(name: String, reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = name.isEmpty ? directory.path : directory.path.pushing(FilePath(name))
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.file(driver: "wav", path), system: system).open(SoundWriting.format(.bits16))
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains(path.string) == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["nonesuch", "wav", ""])
  func `a driver that is none, or is one for files, is unknown as a device`(name: String) {
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.live(driver: name, device: nil), system: system).open(SoundWriting.format(.bits16))
    }
    #expect(error?.kind == .unknownDriver)
  }

  @Test func `silence keeps time`() throws {
    let clock = ManualClock()
    let opener = OutputOpener(.silent(speed: 1), library: system, clock: clock)
    let isDone = Watched(false)
    let thread = try WorkerThread(name: "writer") {
      guard let output = try? opener.open(SoundWriting.format(.bits16)), output.keepsTime else { return }
      for _ in 0..<10 { try? SoundWriting.write(SoundWriting.bytes(441 * 4), to: output) }
      try? output.close()
      isDone.change { $0 = true }
    }
    clock.setBusyCount { 1 }
    #expect(clock.run { isDone.value })
    #expect(clock.now == MonotonicInstant(nanoseconds: 100_000_000))
    #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000)))
  }

  @Test func `drivers for devices come before those for files`() {
    let kinds = system.drivers.map(\.kind)
    #expect(kinds.contains(.file))
    #expect(kinds.drop { $0 == .live }.allSatisfy { $0 == .file })
    #expect(system.driver(named: "wav")?.kind == .file)
    #expect(system.driver(named: "nonesuch") == nil)
  }
}
