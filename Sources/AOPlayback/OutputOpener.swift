public import AudioCore
import Platform
import Synchronization
import SystemPackage

/// Opens the output that the user chose.
public final class OutputOpener: Sendable {
  private let choice: OutputChoice
  private let system: AOSystem
  /// The format of the file that was opened last, where one was.
  private let lastFileFormat = Mutex<DeviceFormat?>(nil)

  /// An opener of `choice` through `system`, which may still be starting.
  public init(_ choice: OutputChoice, system: AOSystem) {
    self.choice = choice
    self.system = system
  }

  /// Begins to load what the output needs, beside all else; does nothing where that is nothing. Any thread.
  public func prepare() {
    switch choice {
    case .silent, .file(driver: "raw", _): break
    case .automatic, .live, .file: system.start()
    }
  }

  /// Opens the output for sound of `format`; the output may take it at another depth. Blocks while the driver does.
  ///
  /// A file is begun at every opening: what was rendered before is kept, and what follows goes to a name with a number that
  /// no file has yet.
  ///
  /// - Throws: `OutputError` where the user named a driver or a file, and it does not open.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    switch choice {
    case .silent:
      return SilentOutput(format: format)
    case .live(let name, let device):
      guard let driver = system.driver(named: name), driver.kind == .live else {
        throw OutputError(
          kind: .unknownDriver, description: "there is no output \"\(name)\"; `segue outputs` lists them")
      }
      return try open(driver, device: device, format)
    case .file(let driver, let path):
      // libao writes AU files of 16 bits at most, and frees the file twice where it is asked for more.
      let depth = driver == "au" ? SampleDepth.bits16 : format.depth
      return try openFile(
        driver, path,
        DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth))
    case .automatic:
      for driver in system.drivers where driver.kind == .live && !driver.isNull {
        if let output = try? open(driver, device: nil, format) { return output }
      }
      return SilentOutput(
        format: format,
        warning:
          "no sound output could be opened: playing silently; `segue outputs` lists what --output takes")
    }
  }

  private func open(
    _ driver: AODriver, device: String?, _ format: DeviceFormat
  ) throws(OutputError) -> any AudioOutput {
    var failure = AOError(code: 0)
    for depth in driver.depths(for: format.depth) {
      let taken = DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth)
      do throws(AOError) {
        let opened = try AODevice(
          driver: driver, options: driver.openingOptions(device: device), format: taken)
        return AOOutput(device: opened, format: taken, name: driver.name, keepsTime: !driver.isNull)
      } catch {
        failure = error
      }
    }
    let place = device.map { " \"\($0)\"" } ?? ""
    throw OutputError(
      kind: .cannotOpen,
      description: "output \(driver.name)\(place): \(failure.message); `segue outputs` lists the others")
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
      system.waitUntilStarted()
      output = try FileOutput(driver: driver, path: next, format: format, warning: warning)
    }
    lastFileFormat.withLock { $0 = format }
    return output
  }

  /// The file to open next: the one that was named, or, where that holds sound already, one with a number behind its name.
  private func nextFile(after path: FilePath, for format: DeviceFormat) throws(OutputError) -> FilePath {
    guard let last = lastFileFormat.withLock({ $0 }) else { return path }
    if let next = path.firstFreeNumbered { return next }
    guard format == last else {
      throw OutputError(
        kind: .unsupportedFormat,
        description: "\(path) was begun in another format, and cannot hold what follows")
    }
    return path
  }
}

extension FilePath {
  /// The path with the first number, from 2, behind its name that no file has; `nil` where it is no regular file itself.
  fileprivate var firstFreeNumbered: FilePath? {
    guard let stem, let status = try? FileStatus(of: self), status.kind == .regular else { return nil }
    let suffix = self.extension.map { ".\($0)" } ?? ""
    let candidates = (2...).lazy.compactMap { FilePath.Component("\(stem)-\($0)\(suffix)") }
      .map { removingLastComponent().appending($0) }
    return candidates.first { (try? FileStatus(of: $0, followingLinks: false)) == nil }
  }
}
