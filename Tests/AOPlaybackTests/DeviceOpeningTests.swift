// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AOPlayback

/// Devices that refuse formats. They belong to a fake library, since those of the real one cannot be made to do so.
@Suite struct DeviceOpeningTests {
  private static let busy =
    "ALSA lib pcm_dmix.c:999:(snd_pcm_dmix_open) unable to open slave: Device or resource busy\n"

  private func format(_ rate: Int, _ channels: Int, _ depth: SampleDepth) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
  }

  /// The value of the variable for PulseAudio's buffer in these tests; empty if it is not set.
  private let variable = Watched("")

  private func opener(
    _ choice: OutputChoice, _ library: FakeLibrary, buffer: Duration? = nil, latency: PulseLatency? = nil
  ) -> OutputOpener {
    OutputOpener(choice, drivers: AODrivers(library: library, buffer: buffer, pulseLatency: latency ?? self.latency))
  }

  private var latency: PulseLatency {
    PulseLatency(
      read: { [variable] in variable.value.isEmpty ? nil : variable.value },
      write: { [variable] value in variable.change { $0 = value } })
  }

  private func live(_ driver: String) -> OutputChoice { .live(driver: driver, device: nil) }

  @Test func `A device that accepts the format is opened once`() throws {
    let library = FakeLibrary(["alsa"]) { _ in true }
    let output = try opener(live("alsa"), library).open(format(44_100, 2, .bits16))
    #expect(output.format == format(44_100, 2, .bits16))
    #expect(library.attempts.count == 1)
  }

  @Test(arguments: [[96_000, 44_100], [96_000, 48_000, 44_100], [192_000]])
  func `A device that accepts a few rates gets the nearest`(rates: [Int]) throws {
    let library = FakeLibrary(["alsa"]) { rates.contains($0.format.sampleRate) && $0.format.channels == 2 }
    let output = try opener(live("alsa"), library).open(format(48_000, 1, .bits24))
    #expect(output.format == format(rates.contains(48_000) ? 48_000 : rates[0], 2, .bits32))
  }

  @Test(arguments: [("alsa", SampleDepth.bits32), ("sndio", .bits24)])
  func `A device that does not accept 16 bits gets more`(driver: String, depth: SampleDepth) throws {
    let library = FakeLibrary([driver]) { $0.format.depth != .bits16 }
    let output = try opener(live(driver), library).open(format(44_100, 2, .bits16))
    #expect(output.format == format(44_100, 2, depth))
  }

  @Test func `A device that accepts nothing is an error`() {
    let library = FakeLibrary(["alsa"]) { _ in false }
    let error = #expect(throws: OutputError.self) {
      try opener(.live(driver: "alsa", device: "hw:3"), library).open(
        format(44_100, 2, .bits16))
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains("alsa \"hw:3\"") == true)
    #expect(library.attempts.count == 4 * 3 * 2)
  }

  @Test func `A busy device is an error, and is not tried in other formats`() {
    let library = FakeLibrary(["alsa"]) { _ in false }
    library.refuseAll(report: Self.busy)
    let error = #expect(throws: OutputError.self) {
      try opener(live("alsa"), library).open(format(44_100, 2, .bits16))
    }
    #expect(error?.description.contains("in use by another program") == true)
    #expect(library.attempts.count == 1)
  }

  @Test func `An automatic choice prefers a driver that accepts the format`() throws {
    let library = FakeLibrary(["oss", "alsa", "pulse"]) { $0.driver != "oss" || $0.format.channels == 1 }
    let opener = self.opener(.automatic, library)
    #expect(try opener.open(format(44_100, 2, .bits16)).name == "alsa")
    #expect(try opener.open(format(44_100, 1, .bits16)).name == "oss")
  }

  @Test func `An automatic choice prefers any format to silence`() throws {
    let library = FakeLibrary(["oss", "pulse"]) { $0.driver == "pulse" && $0.format.channels == 6 }
    let output = try opener(.automatic, library).open(format(44_100, 2, .bits16))
    #expect(output.name == "pulse" && output.format.channels == 6)
  }

  @Test func `An automatic choice that never found a device is silent, with a warning that gives the reason`() throws {
    let library = FakeLibrary(["pulse", "alsa"]) { _ in false }
    library.refuseAll(report: Self.busy)
    let output = try opener(.automatic, library).open(format(44_100, 2, .bits16))
    #expect(output.name == "silent")
    #expect(output.warning?.contains("busy") == true)
  }

  @Test func `An automatic choice that had a device does not fall back to silence`() throws {
    let library = FakeLibrary(["pulse"]) { _ in true }
    let opener = self.opener(.automatic, library)
    #expect(try opener.open(format(44_100, 2, .bits16)).name == "pulse")
    library.refuseAll(report: Self.busy)
    let error = #expect(throws: OutputError.self) { try opener.open(format(44_100, 2, .bits16)) }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains("busy") == true)
  }

  @Test(arguments: [("pulse", false), ("alsa", true), ("null", false)])
  func `Only a device without a sound server needs real-time priority`(driver: String, isNeeded: Bool)
    throws
  {
    let library = FakeLibrary([driver]) { _ in true }
    let output = try opener(live(driver), library).open(format(44_100, 2, .bits16))
    #expect(output.needsRealTime == isNeeded)
  }

  @Test func `A requested buffer reaches the driver, and the output reports its length`() throws {
    let library = FakeLibrary(["alsa"]) { _ in true }
    let output = try opener(live("alsa"), library, buffer: .milliseconds(400))
      .open(format(48_000, 2, .bits16))
    #expect(library.attempts.first?.options["buffer_time"] == "400")
    #expect(output.bufferFrames == 24_000)
    #expect(output.periodFrames == 4800)
  }

  @Test func `Each opening with PulseAudio requests its buffer through the variable, and no other driver does`()
    throws
  {
    let latency = latency
    let library = FakeLibrary(["pulse", "alsa"]) { _ in true }
    for milliseconds in [120, 350] {
      let output = try opener(live("pulse"), library, buffer: .milliseconds(milliseconds), latency: latency)
        .open(format(1000, 2, .bits16))
      #expect(variable.value == "\(milliseconds)")
      #expect(output.bufferFrames == milliseconds)
    }
    _ = try opener(live("alsa"), library, latency: latency).open(format(1000, 2, .bits16))
    #expect(variable.value == "")
  }

  @Test func `The user's own setting for PulseAudio is preserved`() throws {
    let library = FakeLibrary(["pulse"]) { _ in true }
    variable.change { $0 = "777" }
    let output = try opener(live("pulse"), library, buffer: .milliseconds(120))
      .open(format(1000, 2, .bits16))
    #expect(variable.value == "777")
    #expect(output.bufferFrames == 777)
  }
}

/// A library whose devices accept the formats that a test chooses.
final class FakeLibrary: DeviceLibrary {
  /// An attempt to open a device.
  struct Attempt: Sendable {
    let driver: String
    let options: [String: String]
    let format: DeviceFormat
  }

  /// A device that accepts everything and plays nothing.
  private final class Device: PlaybackDevice {
    func play(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
    func close() {}
  }

  /// The behaviour of all devices.
  struct Behaviour: Sendable {
    /// Returns whether an attempt succeeds.
    let accepts: @Sendable (Attempt) -> Bool
    /// The text on standard error when an attempt fails.
    var report = ""
  }

  let drivers: [AODriver]
  private let behaviour: Mutex<Behaviour>
  private let log = Mutex<[Attempt]>([])
  /// All attempts to open a device so far.
  var attempts: [Attempt] { log.withLock { $0 } }

  init(_ drivers: [String], accepts: @escaping @Sendable (Attempt) -> Bool) {
    self.drivers = drivers.map {
      AODriver(name: $0, title: $0, kind: .live, isDefault: false, options: ["dev"], priority: 0)
    }
    behaviour = Mutex(Behaviour(accepts: accepts))
  }

  /// Makes every device refuse everything from now on, with `report` on standard error.
  func refuseAll(report: String = "") {
    behaviour.withLock { $0 = Behaviour(accepts: { _ in false }, report: report) }
  }

  func start() {}

  func waitUntilStarted() {}

  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice {
    let attempt = Attempt(
      driver: driver.name, options: Dictionary(options) { $1 }, format: format)
    log.withLock { $0.append(attempt) }
    let behaviour = behaviour.withLock { $0 }
    guard behaviour.accepts(attempt) else {
      throw AOError(code: 0, report: behaviour.report)
    }
    return Device()
  }
}
