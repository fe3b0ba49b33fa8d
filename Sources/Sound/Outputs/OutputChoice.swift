// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Platform
public import SystemPackage

/// The output that the user chose.
public enum OutputChoice: Sendable, Hashable {
  /// A PulseAudio server, or else the first driver of libao that opens; if none does, a silent output in real time,
  /// with a warning.
  case automatic
  /// A driver of libao, and one of its devices in the driver's own notation; `nil` for its default device.
  case live(driver: String, device: String?)
  /// A PulseAudio server, and one of its sinks; `nil` for its default sink.
  case pulse(sink: String?)
  /// A sound card that no other program can use meanwhile, by its name in ALSA.
  case soundCard(device: String)
  case file(driver: String, FilePath)
  /// The FIFO at this path, which may still be missing.
  case fifo(FilePath)
  /// A silent output in real time, or this many times as fast.
  case silent(speed: Int)

  /// The path that stands for standard output instead of a file.
  public static let standardOutput = FilePath("-")

  /// The names of the drivers that write to a file.
  private static let fileDrivers = ["wav", "au", "raw"]

  /// The permitted speeds of a silent output.
  private static let speeds = 1...1000

  /// Parses `pulse`, `pulse:SINK`, `alsa-exclusive:DEVICE`, `DRIVER`, `DRIVER:DEVICE`, `wav:FILE`, `au:FILE`,
  /// `raw:FILE`, `fifo:PATH`, `silent`, and, for tests, `silent:20`, which is twenty times as fast. `ao:` can be put
  /// before a driver of libao: `ao:pulse` is libao's.
  ///
  /// Whether the driver exists is checked only when it is opened.
  ///
  /// - Throws: `OutputError` if a file driver is named without a file, or no driver is named.
  public init(parsing text: String) throws(OutputError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let rest = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
    switch (parts[0], rest) {
    case ("", _):
      throw OutputError(
        kind: .unknownDriver, description: "no output driver given; use `segue outputs` to list the drivers")
    case ("silent", let speed):
      guard let speed = speed == nil ? 1 : speed.flatMap(Int.init), Self.speeds.contains(speed) else {
        throw OutputError(kind: .cannotOpen, description: "silent does not accept a device")
      }
      self = .silent(speed: speed)
    case ("fifo", let path):
      guard let path else {
        throw OutputError(kind: .cannotOpen, description: "fifo needs a path: use --output fifo:PATH")
      }
      self = .fifo(FilePath(typed: path))
    case (let driver, let file) where Self.fileDrivers.contains(driver):
      guard let file else {
        throw OutputError(
          kind: .cannotOpen, description: "\(driver) needs a file: use --output \(driver):FILE")
      }
      let isStandardOutput = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(file)
      self = .file(driver: driver, isStandardOutput ? Self.standardOutput : FilePath(typed: file))
    case ("pulse", let sink):
      self = .pulse(sink: sink)
    case ("alsa-exclusive", let device):
      guard let device else {
        throw OutputError(
          kind: .cannotOpen, description: "alsa-exclusive needs a device: use --output alsa-exclusive:hw:0")
      }
      self = .soundCard(device: device)
    case ("ao", let driver):
      let parts = driver?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
      guard let driver = parts.first, !Self.fileDrivers.contains(driver) else {
        throw OutputError(kind: .unknownDriver, description: "ao needs a driver: use --output ao:DRIVER")
      }
      self = .live(driver: driver, device: parts.count > 1 ? parts[1] : nil)
    case (let driver, let device):
      self = .live(driver: driver, device: device)
    }
  }

  /// The name by which the profile of an equaliser belongs to the output: as the user writes it, without the file. An
  /// automatic choice is that of a sound server, unless there is none.
  public var name: String {
    switch self {
    case .automatic: "pulse"
    case .live(let driver, let device): device.map { "\(driver):\($0)" } ?? driver
    case .pulse(let sink): sink.map(Self.name(ofSink:)) ?? "pulse"
    case .soundCard(let device): "alsa-exclusive:\(device)"
    case .file(let driver, _): driver
    case .fifo(let path): "fifo:\(path.shown)"
    case .silent: "silent"
    }
  }

  /// Whether the output is a sound server, if there is one.
  public var isSoundServer: Bool {
    switch self {
    case .automatic, .pulse: true
    case .live, .soundCard, .file, .fifo, .silent: false
    }
  }

  /// The file to which audio is written; "-" for standard output, `nil` if the output is a device or a FIFO.
  public var file: FilePath? { if case .file(_, let path) = self { path } else { nil } }

  /// Returns the name of the output to a sink of a sound server.
  public static func name(ofSink sink: String) -> String { "pulse:\(sink)" }

  /// Returns a message if this output is probably not what the user means, otherwise `nil`: a server cannot play to a
  /// file, and a FIFO that its reader has not created yet would become a file, written at full speed.
  ///
  /// - Parameter isServing: Whether the player keeps running after the last track, which makes no sense for a file.
  public func mistake(isServing: Bool) -> String? {
    guard case .file(let driver, let path) = self, path != Self.standardOutput else { return nil }
    let kind = (try? FileStatus(of: path))?.kind
    let isFile = kind.map { [.regular, .directory].contains($0) } ?? true
    guard driver == "raw" else {
      guard isServing, isFile else { return nil }
      return "a server cannot play to a file: use `segue play ALBUM --output \(driver):\(path.shown)` to write one"
    }
    if kind != nil { return isServing && isFile ? "\(path.shown) is not a FIFO" : nil }
    let isLikeFIFO = path.extension == nil && (path.starts(with: "/tmp") || path.starts(with: "/run"))
    guard isServing || isLikeFIFO else { return nil }
    return "no such FIFO: \(path.shown); use fifo:\(path.shown) to wait for it"
      + (isServing ? "" : ", or add a file name extension to write a file")
  }
}

/// A library with drivers that play to devices or write files, such as libao.
public protocol DriverLibrary: Sendable {
  /// Starts loading the drivers in the background, unless that has already begun. Can be called from any thread.
  func start()

  /// Opens a device of a driver for audio of `format`, or in the nearest format that it accepts; the driver's default
  /// device if `device` is `nil`. Blocks while the driver does.
  ///
  /// - Throws: `OutputError` if there is no such driver, or if the device does not open.
  func open(_ driver: String, device: String?, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput

  /// Opens the first driver that accepts `format`, or else the first that accepts any format.
  func openAny(_ format: DeviceFormat) throws(NoDriverError) -> any AudioOutput

  /// Creates or overwrites the file at `path` with a driver for files. The output has the warning `warning`.
  func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat, warning: String?
  ) throws(OutputError) -> any AudioOutput
}

/// The error that is thrown when no driver opens a device.
public struct NoDriverError: Error {
  /// The first driver whose device is in use by another program; `nil` if there is none.
  public let busyDriver: String?

  /// Creates the error.
  public init(busyDriver: String?) { self.busyDriver = busyDriver }
}
