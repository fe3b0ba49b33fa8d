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
      // libao's alsa driver plays at the wrong speed on a device that does not take the rate, and warns where it is
      // wrong by more than 5 %.
      guard !report.contains("not supported by the hardware, using") else {
        device.close()
        throw AOError(code: AO_EBADFORMAT, report: report)
      }
      return device
    }
  }
}

/// What opens devices: libao, or what stands for it in a test.
protocol DeviceLibrary: Sendable {
  /// The drivers in the order in which an automatic choice tries them.
  var drivers: [AODriver] { get }

  /// Begins to load the drivers, unless that was begun before.
  func start()

  /// Waits until the drivers are loaded.
  func waitUntilStarted()

  /// Opens a device of `driver` in exactly `format`.
  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice
}

/// One of libao's drivers.
public struct AODriver: Sendable, Hashable {
  /// Where the sound of a driver goes.
  public enum Kind: Sendable, Hashable {
    /// To a device, as it is heard.
    case live
    /// To a file.
    case file
  }

  /// What the user calls it ("alsa", "wav").
  public let name: String
  /// What it is, in words for people.
  public let title: String
  /// Where its sound goes.
  public let kind: Kind
  /// Whether libao's configuration names it as the default, or libao found it to be the best.
  public let isDefault: Bool
  /// The names of the options that it takes.
  public let options: [String]
  let priority: Int

  /// A driver as libao describes it.
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

  /// Whether it only throws sound away, as fast as it comes.
  var isNull: Bool { name == "null" }

  /// The depths to try for samples of `depth`, the best first. libao's alsa driver garbles 24 bits.
  func depths(for depth: SampleDepth) -> [SampleDepth] {
    switch depth {
    case .bits16: name == "alsa" ? [.bits16, .bits32] : [.bits16, .bits24, .bits32]
    case .bits24, .bits32: name == "alsa" ? [.bits32, .bits16] : [.bits24, .bits32, .bits16]
    }
  }

  /// Whether a sound server plays what it takes, so that only the server has to be in time.
  var isSoundServer: Bool { ["pulse", "esd", "arts", "roar", "sndio"].contains(name) }

  /// Whether it takes any rate, and converts it.
  var convertsRates: Bool { ["pulse", "macosx"].contains(name) }

  /// The options that open the device named `device`, or the driver's default device, with `buffer`.
  func openingOptions(device: String?, buffer: DriverBuffer) -> [(key: String, value: String)] {
    var chosen: [(key: String, value: String)] = []
    if let device { chosen.append((options.contains("dev") ? "dev" : "server", device)) }
    if let option = buffer.option { chosen.append(option) }
    switch name {
    case "pulse": chosen.append(("client_name", "segue"))
    // It says so in no other way where the device takes another rate than the one asked for.
    case "alsa": chosen.append(("verbose", ""))
    default: break
    }
    return chosen
  }
}
