// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Outputs

@Suite struct OutputSwitchTests {
  /// What ``OutputSwitch`` has reported.
  private struct Report: Equatable {
    var choice: OutputChoice
    var failure: OutputError?
  }

  private let reports = Watched<[Report]>([])

  private func makeSwitch(_ choice: OutputChoice) -> OutputSwitch {
    OutputSwitch(
      choice,
      onOpening: { [reports] choice, failure in
        reports.change { $0.append(Report(choice: choice, failure: failure)) }
      }
    ) { OutputOpener($0, drivers: NoDrivers()) }
  }

  private let format = SoundWriting.format(.bits16)

  @Test func `the output that was chosen last is opened next, and reported once`() throws {
    let output = makeSwitch(.silent(speed: 1))
    _ = try output.open(format)
    #expect(reports.value.isEmpty)
    output.use(.silent(speed: 7))
    output.use(.silent(speed: 9))
    #expect(output.choice == .silent(speed: 9))
    _ = try output.open(format)
    _ = try output.open(format)
    #expect(reports.value == [Report(choice: .silent(speed: 9))])
  }

  @Test func `an output that does not open is replaced with the last one that did`() throws {
    let output = makeSwitch(.silent(speed: 2))
    output.use(.file(driver: "raw", "/nonexistent/directory/file"))
    output.use(.pulse(sink: "nowhere"))
    #expect(try output.open(format).name == "silent")
    #expect(output.choice == .silent(speed: 2))
    #expect(reports.value.count == 1 && reports.value[0].choice == .silent(speed: 2))
    #expect(reports.value[0].failure?.description == "libpulse is not supported")
  }

  @Test func `an error is thrown if the first output does not open, or one that has been open`() throws {
    let output = makeSwitch(.pulse(sink: nil))
    #expect(throws: OutputError.self) { _ = try output.open(format) }
    output.use(.silent(speed: 2))
    _ = try output.open(format)
    output.use(.pulse(sink: nil))
    output.use(.silent(speed: 2))
    #expect(reports.value.count == 1)
  }

  @Test func `an output that was forgotten is not used again`() throws {
    let output = makeSwitch(.silent(speed: 2))
    output.use(.pulse(sink: "nowhere"))
    output.forgetPrevious()
    #expect(throws: OutputError.self) { _ = try output.open(format) }
    #expect(output.choice == .pulse(sink: "nowhere") && reports.value.isEmpty)
  }

  @Test func `a device that refuses DSD is asked for PCM before the choice is given up`() throws {
    let asked = Watched<[Bool]>([])
    let output = OutputSwitch(.silent(speed: 1), onOpening: { _, _ in }) { choice in
      OutputOpener(
        choice, drivers: NoDrivers(),
        openSoundCard: { format, _ throws(OutputError) in
          asked.change { $0.append(format.isDSD) }
          if format.isDSD { throw OutputError(kind: .unsupportedFormat, description: "no DSD") }
          return SilentOutput(format: format, clock: SystemClock())
        })
    }
    output.use(.soundCard(device: "hw:0"))
    let dsd = DeviceFormat(sampleRate: 176_400, channels: 2, depth: .bits16, isDSD: true)
    #expect(throws: OutputError(kind: .unsupportedFormat, description: "no DSD")) { _ = try output.open(dsd) }
    _ = try output.open(format)
    #expect(output.choice == .soundCard(device: "hw:0") && asked.value == [true, false])
  }
}
