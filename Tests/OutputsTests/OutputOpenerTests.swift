// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Outputs

@Suite struct OutputOpenerTests {
  @Test func `a full device is an error, at the latest when closing`() throws {
    let opener = OutputOpener(.file(driver: "raw", "/dev/full"), drivers: NoDrivers())
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

  @Test func `a sound card that refuses DSD is not asked for other formats`() throws {
    let requests = Watched<[DeviceFormat]>([])
    let opener = OutputOpener(
      .soundCard(device: "hw:0"), drivers: NoDrivers(),
      openSoundCard: { format, _ throws(OutputError) in
        requests.change { $0.append(format) }
        throw OutputError(kind: .unsupportedFormat, description: "refused")
      })
    let dsd = DeviceFormat(sampleRate: 176_400, channels: 2, depth: .bits16, isDSD: true)
    #expect(throws: OutputError(kind: .unsupportedFormat, description: "refused")) { _ = try opener.open(dsd) }
    #expect(requests.value == [dsd])
    #expect(throws: OutputError.self) {
      _ = try opener.open(DeviceFormat(sampleRate: 96_000, channels: 2, depth: .bits24))
    }
    #expect(requests.value.count > 3)
  }

  @Test func `the silent output is real-time`() throws {
    let clock = ManualClock()
    let opener = OutputOpener(.silent(speed: 1), drivers: NoDrivers(), clock: clock)
    let isDone = Watched(false)
    let thread = try WorkerThread(name: "writer") {
      guard let output = try? opener.open(SoundWriting.format(.bits16)), output.isRealTime else { return }
      for _ in 0..<10 { try? SoundWriting.write(SoundWriting.bytes(441 * 4), to: output) }
      try? output.close()
      isDone.change { $0 = true }
    }
    clock.setBusyCount { 1 }
    #expect(clock.run { isDone.value })
    #expect(clock.now == MonotonicInstant(nanoseconds: 100_000_000))
    #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000)))
  }
}

@Suite struct OutputChoiceTests {
  @Test(
    arguments: [
      ("silent", .silent(speed: 1)), ("silent:20", .silent(speed: 20)), ("pulse", .pulse(sink: nil)),
      ("pulse:", .pulse(sink: nil)), ("pulse:a:b", .pulse(sink: "a:b")),
      ("ao:pulse", .live(driver: "pulse", device: nil)), ("ao:pulse:a:b", .live(driver: "pulse", device: "a:b")),
      ("alsa:hw:0,1", .live(driver: "alsa", device: "hw:0,1")),
      ("wav:out.wav", .file(driver: "wav", "out.wav")), ("raw:a:b", .file(driver: "raw", "a:b")),
      ("au:/tmp/x y", .file(driver: "au", "/tmp/x y")), ("wav:-", .file(driver: "wav", "-")),
      ("fifo:/tmp/a:b", .fifo("/tmp/a:b")),
    ] as [(String, OutputChoice)])
  func `outputs are parsed`(text: String, choice: OutputChoice) throws {
    #expect(try OutputChoice(parsing: text) == choice)
  }

  @Test(arguments: ["", ":", ":x", "wav", "wav:", "au", "raw:", "fifo", "fifo:", "ao", "ao:", "ao::", "ao:wav:x"])
  func `an output without a driver, or a file without a name, is an error`(text: String) {
    #expect(throws: OutputError.self) { try OutputChoice(parsing: text) }
  }

  @Test(arguments: [
    ("raw:/tmp/nosuch-fifo", true, true), ("raw:/run/user/1000/nosuch-fifo", true, true),
    ("raw:/tmp/nosuch.raw", false, true), ("raw:nosuch", false, true), ("raw:/nosuch/fifo", false, true),
    ("raw:/", false, true), ("raw:/dev/null", false, false), ("raw:-", false, false),
    ("fifo:/tmp/nosuch-fifo", false, false),
    ("wav:/tmp/nosuch-fifo", false, true), ("au:/", false, true), ("wav:/dev/null", false, false),
    ("wav:-", false, false), ("silent", false, false),
  ])
  func `a file is a mistake if a FIFO is probably meant, or if a server is to write it`(
    text: String, isMistakeInPlayer: Bool, isMistakeInServer: Bool
  ) throws {
    let choice = try OutputChoice(parsing: text)
    #expect((choice.mistake(isServing: false) != nil) == isMistakeInPlayer)
    #expect((choice.mistake(isServing: true) != nil) == isMistakeInServer)
  }
}

/// A library without drivers.
struct NoDrivers: DriverLibrary {
  func start() {}

  func open(_ driver: String, device: String?, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    throw OutputError(kind: .unknownDriver, description: driver)
  }

  func openAny(_ format: DeviceFormat) throws(NoDriverError) -> any AudioOutput { throw NoDriverError(busyDriver: nil) }

  func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat, warning: String?
  ) throws(OutputError) -> any AudioOutput {
    throw OutputError(kind: .unknownDriver, description: driver)
  }
}
