public import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Opens the output that the user chose.
public final class OutputOpener: Sendable {
  private let choice: OutputChoice
  private let library: any DeviceLibrary
  private let buffer: Duration?
  private let pulseLatency: PulseLatency
  private let clock: any MonotonicClock
  /// The format of the file that was opened last, where one was.
  private let lastFileFormat = Mutex<DeviceFormat?>(nil)
  /// The format in which a FIFO was opened first, where one was.
  private let formatOfFIFO = Mutex<DeviceFormat?>(nil)
  /// Whether the automatic choice has found a device.
  private let hasFoundDevice = Atomic(false)

  /// An opener of `choice` through `system`, which may still be starting.
  ///
  /// - Parameter buffer: how much sound the device is asked to hold, limited to 50 to 2,000 ms; `nil` for the driver's
  ///   default. What is commanded is heard after it. Some drivers cannot be asked; the output says what it holds.
  public convenience init(_ choice: OutputChoice, system: AOSystem, buffer: Duration? = nil) {
    self.init(choice, library: system, buffer: buffer)
  }

  init(
    _ choice: OutputChoice, library: any DeviceLibrary, buffer: Duration? = nil,
    pulseLatency: PulseLatency = .process, clock: any MonotonicClock = SystemClock()
  ) {
    self.choice = choice
    self.library = library
    self.buffer = buffer
    self.pulseLatency = pulseLatency
    self.clock = clock
  }

  /// Begins to load what the output needs, beside all else; does nothing where that is nothing. Any thread.
  public func prepare() {
    switch choice {
    case .silent, .fifo, .file(driver: "raw", _): break
    case .automatic, .live, .file: library.start()
    }
  }

  /// Opens the output for sound of `format`, or, where the device does not take that, in the nearest format that it
  /// takes; the output says which. Blocks while the driver does.
  ///
  /// A FIFO that nobody reads, or that is not there yet, opens the first time, and then only while somebody reads it. A
  /// file is begun at every opening: what was rendered before is kept, and what follows goes to a name with a number
  /// that no file has yet.
  /// What libraries write to standard error meanwhile is kept from it, and so is what other threads write.
  ///
  /// - Throws: `OutputError` where the user named a driver or a file, and it does not open; and where an automatic
  ///   choice has found a device before, and finds none now.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    switch choice {
    case .silent(let speed):
      return SilentOutput(format: format, speed: speed, clock: clock)
    case .live(let name, let device):
      guard let driver = library.drivers.first(where: { $0.name == name }), driver.kind == .live else {
        throw OutputError(
          kind: .unknownDriver, description: "there is no output \"\(name)\"; `segue outputs` lists them")
      }
      do throws(AOError) {
        return try open(driver, device: device, candidates(driver, format))
      } catch {
        let place = device.map { " \"\($0)\"" } ?? ""
        throw OutputError(
          kind: .cannotOpen,
          description: "output \(driver.name)\(place): \(error.message); `segue outputs` lists the others")
      }
    case .fifo(let path):
      return try openFIFO(path, format)
    case .file(driver: "raw", let path) where isFIFO(path):
      return try openFIFO(path, format)
    case .file(let driver, let path):
      // libao writes AU files of 16 bits at most, and frees the file twice where it is asked for more.
      let depth = driver == "au" ? SampleDepth.bits16 : format.depth
      return try openFile(
        driver, path,
        DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth))
    case .automatic:
      return try openAny(format)
    }
  }

  /// Opens the first driver that takes `format`, or else the first that takes anything.
  private func openAny(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    let drivers = library.drivers.filter { $0.kind == .live && !$0.isNull }
    var failures: [String: AOError] = [:]
    for isExact in [true, false] {
      for driver in drivers where failures[driver.name]?.isFinal != true {
        let candidates = candidates(driver, format).filter {
          ($0.sampleRate == format.sampleRate && $0.channels == format.channels) == isExact
        }
        do throws(AOError) {
          let output = try open(driver, device: nil, candidates)
          hasFoundDevice.store(true, ordering: .relaxed)
          return output
        } catch {
          failures[driver.name] = error
        }
      }
    }
    let reason =
      drivers.first { failures[$0.name]?.isBusy == true }.map { " (\($0.name): the device is busy)" } ?? ""
    guard !hasFoundDevice.load(ordering: .relaxed) else {
      throw OutputError(
        kind: .cannotOpen, description: "no sound output can be opened any more\(reason)")
    }
    return SilentOutput(
      format: format,
      warning:
        "no sound output could be opened\(reason): playing silently; `segue outputs` lists what --output takes",
      clock: clock)
  }

  private func candidates(_ driver: AODriver, _ format: DeviceFormat) -> [DeviceFormat] {
    FormatCandidates.formats(
      for: format, depths: driver.depths(for: format.depth), convertsRates: driver.convertsRates)
  }

  /// Opens `driver` in the first of `formats` that its device takes.
  private func open(
    _ driver: AODriver, device: String?, _ formats: [DeviceFormat]
  ) throws(AOError) -> AOOutput {
    let isPulse = driver.name == "pulse"
    let buffer = DriverBuffer(
      driver: driver.name, wish: buffer, pulseLatency: isPulse ? pulseLatency.ofUser : nil)
    pulseLatency.ask(for: isPulse ? buffer.milliseconds : nil)
    let options = driver.openingOptions(device: device, buffer: buffer)
    var failure = AOError(code: 0)
    for format in formats {
      do throws(AOError) {
        let opened = try library.open(driver, options: options, format: format)
        if let first = formats.first, format != first,
          let better = try? library.open(driver, options: options, format: first)
        {
          // The device has come while its formats were tried.
          return AOOutput(device: better, driver: driver, buffer: buffer, format: first, clock: clock)
        }
        return AOOutput(device: opened, driver: driver, buffer: buffer, format: format, clock: clock)
      } catch {
        failure = error
        if error.isFinal { break }
      }
    }
    throw failure
  }

  /// Whether `path` is the name of a FIFO, or was one: the pipes of `/dev/fd` have no names.
  private func isFIFO(_ path: FilePath) -> Bool {
    if formatOfFIFO.withLock({ $0 != nil }) { return true }
    return path != OutputChoice.standardOutput && (try? FileStatus(of: path))?.kind == .fifo
      && !path.starts(with: "/dev/fd") && !path.starts(with: "/proc")
  }

  /// Opens a FIFO, in stereo, and in the rate and depth in which it was opened first: its reader cannot be told of
  /// another format.
  private func openFIFO(_ path: FilePath, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    let known = formatOfFIFO.withLock { $0 }
    let format = known ?? DeviceFormat(sampleRate: format.sampleRate, channels: 2, depth: format.depth)
    let output = try FIFOOutput(path: path, format: format, buffer: buffer, awaitsReader: known == nil, clock: clock)
    formatOfFIFO.withLock { $0 = format }
    return output
  }

  private func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat
  ) throws(OutputError) -> any AudioOutput {
    let next = try nextFile(after: path, for: format)
    let warning = next == path ? nil : "what was rendered so far is kept; what follows goes to \(next)"
    let output: any AudioOutput
    if driver == "raw" {
      output = try RawFileOutput(path: next, format: format, warning: warning)
    } else {
      library.waitUntilStarted()
      output = try FileOutput(driver: driver, path: next, format: format, warning: warning)
    }
    lastFileFormat.withLock { $0 = format }
    return output
  }

  /// The file to open next: the one that was named, or, where that holds sound already, one with a number behind its
  /// name.
  private func nextFile(after path: FilePath, for format: DeviceFormat) throws(OutputError) -> FilePath {
    guard let last = lastFileFormat.withLock({ $0 }) else { return path }
    if let next = path.firstFreeNumbered { return next }
    guard format == last else {
      throw OutputError(
        kind: .unsupportedFormat,
        description: "\(path.shown) was begun in another format, and cannot hold what follows")
    }
    return path
  }
}

extension FilePath {
  /// The path with the first number, from 2, behind its name that no file has; `nil` where it is no regular file
  /// itself.
  fileprivate var firstFreeNumbered: FilePath? {
    guard let stem, let status = try? FileStatus(of: self), status.kind == .regular else { return nil }
    let suffix = self.extension.map { ".\($0)" } ?? ""
    let candidates = (2...).lazy.compactMap { FilePath.Component("\(stem)-\($0)\(suffix)") }
      .map { removingLastComponent().appending($0) }
    return candidates.first { (try? FileStatus(of: $0, followingLinks: false)) == nil }
  }
}

/// In which formats a device is asked for sound, the best first.
enum FormatCandidates {
  private static let commonChannels = [2, 1, 6]
  private static let commonRates = [48_000, 44_100, 96_000, 192_000]

  /// The formats to try for sound of `wanted`, which come in this order: what was wanted; other depths; other numbers
  /// of channels, stereo first, each in every depth; and then other rates with all of these again.
  ///
  /// - Parameter depths: the depths to try, the best first.
  /// - Parameter convertsRates: whether the driver takes any rate, so that another would be refused for the same
  ///   reason.
  static func formats(for wanted: DeviceFormat, depths: [SampleDepth], convertsRates: Bool) -> [DeviceFormat] {
    let channels = [wanted.channels] + commonChannels.filter { $0 != wanted.channels }
    return (convertsRates ? [wanted.sampleRate] : rates(for: wanted.sampleRate)).flatMap { rate in
      channels.flatMap { channels in
        depths.map { DeviceFormat(sampleRate: rate, channels: channels, depth: $0) }
      }
    }
  }

  /// The rates to try for sound of `wanted` Hz: it, then multiples of it, then parts of it, then what is nearest.
  static func rates(for wanted: Int) -> [Int] {
    [wanted]
      + commonRates.filter { $0 != wanted }.sorted {
        (kind($0, wanted), abs($0 - wanted), $0) < (kind($1, wanted), abs($1 - wanted), $1)
      }
  }

  /// 0 for a multiple, 1 for a part, 2 for anything else.
  private static func kind(_ rate: Int, _ wanted: Int) -> Int {
    guard wanted > 0 else { return 2 }
    return rate % wanted == 0 ? 0 : wanted % rate == 0 ? 1 : 2
  }
}
