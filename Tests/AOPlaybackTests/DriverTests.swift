// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs
import SystemPackage
import TestSupport
import Testing

@testable import AOPlayback

/// Outputs of the real libao.
@Suite(.serialized) struct DriverTests {
  @Test(arguments: [("", "directory"), ("none/out.wav", "No such file")])
  func `a file that cannot be written is an error that gives the reason`(name: String, reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = name.isEmpty ? directory.path : directory.path.pushing(FilePath(name))
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.file(driver: "wav", path), drivers: AODrivers(system)).open(SoundWriting.format(.bits16))
    }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains(path.string) == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: ["nonesuch", "wav", ""])
  func `a driver that does not exist, or is for files, is unknown as a device`(name: String) {
    let error = #expect(throws: OutputError.self) {
      try OutputOpener(.live(driver: name, device: nil), drivers: AODrivers(system)).open(SoundWriting.format(.bits16))
    }
    #expect(error?.kind == .unknownDriver)
  }

  @Test func `drivers for devices come before those for files`() {
    let drivers = system.drivers
    let kinds = drivers.map(\.kind)
    #expect(kinds.contains(.file))
    #expect(kinds.drop { $0 == .live }.allSatisfy { $0 == .file })
    #expect(drivers.first { $0.name == "wav" }?.kind == .file)
  }
}

/// The system of all tests: libao may be started only once in a process.
let system: AOSystem = {
  let system = AOSystem()
  system.start()
  return system
}()
