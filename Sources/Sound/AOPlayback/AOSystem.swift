import AudioCore
import CAO
import Dispatch
import Platform
import Synchronization

/// libao itself: its drivers, once it is started.
///
/// Starting loads every plug-in, which takes longer than all else that a program does before its first sound: so it
/// goes on beside the rest, and whoever needs a driver waits for it here. Meanwhile no thread can be started: the
/// dynamic loader holds them up.
public final class AOSystem: Sendable {
  private let started = DispatchGroup()
  private let isStarting = Mutex(false)

  /// Settles what libao's drivers read from the environment. Once, before any second thread is started.
  public static func prepareEnvironment() { PulseLatency.prepare() }

  /// A system that has to be started.
  public init() { started.enter() }

  /// Begins to load the drivers, unless that was begun before.
  ///
  /// libao may be started once, and by any thread, as long as every other call of it comes after. From any thread;
  /// where the system grants no thread for it, the calling one does it.
  public func start() {
    let isFirst = isStarting.withLock { isStarting in
      defer { isStarting = true }
      return !isStarting
    }
    guard isFirst else { return }
    let load = { @Sendable [started] in
      ao_initialize()
      started.leave()
    }
    if (try? WorkerThread(name: "segue-outputs", load)) == nil { load() }
  }

  /// Waits until the drivers are loaded; begins to load them where nobody did.
  func waitUntilStarted() {
    start()
    started.wait()
  }

  /// Where no server answers, libao 1.2.2's nas driver waits for seconds and then closes what it never opened, which
  /// ends the program.
  private static let unusableDrivers: Set = ["nas"]

  /// The drivers in the order in which an automatic choice tries them: the configured default, then by priority; those
  /// for files last. Waits for the start.
  public var drivers: [AODriver] {
    waitUntilStarted()
    var count: Int32 = 0
    guard let list = unsafe ao_driver_info_list(&count) else { return [] }
    let defaultID = ao_default_driver_id()
    let drivers = (0..<Int(count)).compactMap {
      unsafe list[$0].flatMap { unsafe AODriver($0.pointee, defaultID) }
    }
    return drivers.filter { !Self.unusableDrivers.contains($0.name) }.sorted {
      ($0.kind == .live ? 0 : 1, $0.isDefault ? 0 : 1, -$0.priority)
        < ($1.kind == .live ? 0 : 1, $1.isDefault ? 0 : 1, -$1.priority)
    }
  }

  /// The driver of this name, or `nil` where libao has none. Waits for the start.
  public func driver(named name: String) -> AODriver? {
    drivers.first { $0.name == name }
  }
}
