// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CAO
import Dispatch
import Platform
import Synchronization

/// The libao library and its drivers.
///
/// Starting it loads every plug-in, which takes longer than everything else that the program does before its first
/// sound. So it is started in the background, and callers that need a driver wait for it. Until it has started, no
/// thread can be created, because the dynamic loader blocks that.
public final class AOSystem: Sendable {
  private let started = DispatchGroup()
  private let isStarting = Mutex(false)

  /// Prepares the environment variables that libao's drivers read. Call once, before any second thread is started.
  public static func prepareEnvironment() { PulseLatency.prepare() }

  public init() { started.enter() }

  /// Starts loading the drivers, unless that has already begun.
  ///
  /// libao must be started only once, on any thread, before all other calls to it. Can be called from any thread; if
  /// the system cannot create a new thread, the drivers are loaded on the calling one.
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

  /// Waits until the drivers are loaded; starts loading them if necessary.
  func waitUntilStarted() {
    start()
    started.wait()
  }

  /// The drivers that are never used. If no server answers, libao 1.2.2's nas driver waits for seconds and then closes
  /// what it never opened, which crashes the program.
  private static let unusableDrivers: Set = ["nas"]

  /// The drivers in the order in which the automatic choice tries them: the configured default, then by priority, with
  /// those for files last. Waits until the drivers are loaded.
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
}

extension AOSystem: DeviceLibrary {
  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice {
    let (opened, report) = StandardStream.capturingErrors { () -> Result<AODevice, AOError> in
      do throws(AOError) {
        return .success(try AODevice(driver: driver, options: options, format: format))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .failure(let error):
      throw AOError(code: error.code, report: report)
    case .success(let device):
      // libao's alsa driver plays at the wrong speed on a device that does not accept the rate; if it is off by more
      // than 5 %, it prints a warning.
      guard !report.contains("not supported by the hardware, using") else {
        device.close()
        throw AOError(code: AO_EBADFORMAT, report: report)
      }
      return device
    }
  }
}

/// A library that opens devices: libao, or a substitute in tests.
protocol DeviceLibrary: Sendable {
  /// The drivers in the order in which the automatic choice tries them.
  var drivers: [AODriver] { get }

  /// Starts loading the drivers, unless that has already begun.
  func start()

  func waitUntilStarted()

  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice
}

/// A driver of libao.
public struct AODriver: Sendable, Hashable {
  /// The kind of a driver.
  public enum Kind: Sendable, Hashable {
    /// Plays to a device in real time.
    case live
    case file
  }

  /// The name of the driver in options, such as "alsa" or "wav".
  public let name: String
  /// A description of the driver for the user.
  public let title: String
  /// Whether the driver plays to a device or writes a file.
  public let kind: Kind
  /// Whether the driver is the default, by libao's configuration or by libao's own choice.
  public let isDefault: Bool
  /// The names of the options that the driver accepts.
  public let options: [String]
  let priority: Int

  init(name: String, title: String, kind: Kind, isDefault: Bool, options: [String], priority: Int) {
    self.name = name
    self.title = title
    self.kind = kind
    self.isDefault = isDefault
    self.options = options
    self.priority = priority
  }

  init?(_ info: ao_info, _ defaultID: Int32) {
    guard let shortName = unsafe info.short_name, let longName = unsafe info.name else { return nil }
    self.init(
      name: unsafe String(cString: shortName),
      title: unsafe String(cString: longName).split(separator: " ").joined(separator: " "),
      kind: unsafe info.type == AO_TYPE_FILE ? .file : .live,
      isDefault: unsafe ao_driver_id(shortName) == defaultID,
      options: unsafe (0..<Int(info.option_count)).compactMap { index in
        unsafe info.options[index].map { unsafe String(cString: $0) }
      },
      priority: unsafe Int(info.priority))
  }

  /// Whether the driver discards audio, as fast as it comes.
  var isNull: Bool { name == "null" }

  /// Returns the depths to try on a device for samples of `depth`, best first. libao's alsa driver garbles 24-bit
  /// samples.
  func depths(for depth: SampleDepth) -> [SampleDepth] {
    switch depth {
    case .bits16: name == "alsa" ? [.bits16, .bits32] : [.bits16, .bits24, .bits32]
    case .bits24, .bits32: name == "alsa" ? [.bits32, .bits16] : [.bits24, .bits32, .bits16]
    }
  }

  /// Whether the driver passes audio to a sound server, so that only the server needs real-time priority.
  var isSoundServer: Bool { ["pulse", "esd", "arts", "roar", "sndio"].contains(name) }

  /// Whether the driver accepts any sample rate and converts it.
  var convertsRates: Bool { ["pulse", "macosx"].contains(name) }

  /// Returns the libao options for opening `device`, or the driver's default device if it is `nil`, with `buffer`.
  func openingOptions(device: String?, buffer: DriverBuffer) -> [(key: String, value: String)] {
    var chosen: [(key: String, value: String)] = []
    if let device { chosen.append((options.contains("dev") ? "dev" : "server", device)) }
    if let option = buffer.option { chosen.append(option) }
    switch name {
    case "pulse": chosen.append(("client_name", "segue"))
    // Only its verbose output says that the device uses a rate other than the requested one.
    case "alsa": chosen.append(("verbose", ""))
    default: break
    }
    return chosen
  }
}
