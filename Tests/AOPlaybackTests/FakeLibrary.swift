import AudioCore
import Synchronization

@testable import AOPlayback

/// A library whose devices take what a test says.
final class FakeLibrary: DeviceLibrary {
  /// What was asked of it.
  struct Attempt: Sendable {
    let driver: String
    let options: [String: String]
    let format: DeviceFormat
  }

  /// Takes everything and plays nothing.
  private final class Device: PlaybackDevice {
    func play(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
    func close() {}
  }

  /// Says what a device does; it is called for every attempt.
  struct Behaviour: Sendable {
    let takes: @Sendable (Attempt) -> Bool
    var report = ""
  }

  let drivers: [AODriver]
  private let behaviour: Mutex<Behaviour>
  private let log = Mutex<[Attempt]>([])
  /// Every attempt to open a device so far.
  var attempts: [Attempt] { log.withLock { $0 } }

  init(_ drivers: [String], takes: @escaping @Sendable (Attempt) -> Bool) {
    self.drivers = drivers.map {
      AODriver(name: $0, title: $0, kind: .live, isDefault: false, options: ["dev"], priority: 0)
    }
    behaviour = Mutex(Behaviour(takes: takes))
  }

  /// From now on every device refuses everything, with `report` on standard error.
  func refuseAll(report: String = "") {
    behaviour.withLock { $0 = Behaviour(takes: { _ in false }, report: report) }
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
    guard behaviour.takes(attempt) else {
      throw AOError(code: 0, report: behaviour.report)
    }
    return Device()
  }
}
