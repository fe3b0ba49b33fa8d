// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Platform
import Synchronization
import SystemPackage

/// A function that opens an output to this sink of a PulseAudio server, or to its default sink.
public typealias PulseFactory = @Sendable (DeviceFormat, _ sink: String?) throws(OutputError) -> any AudioOutput

/// A function that opens this device of ALSA, in exactly this format, for no other program to use meanwhile.
public typealias SoundCardFactory =
  @Sendable (DeviceFormat, _ device: String) throws(OutputError) -> any AudioOutput

/// Opens the output that the user chose.
public final class OutputOpener: Sendable {
  let choice: OutputChoice
  private let drivers: any DriverLibrary
  private let buffer: Duration?
  private let openPulse: PulseFactory?
  private let openSoundCard: SoundCardFactory?
  private let clock: any MonotonicClock
  /// The format of the last file that was opened; `nil` if there was none.
  private let lastFileFormat = Mutex<DeviceFormat?>(nil)
  /// The format in which the FIFO was first opened; `nil` if it has not been opened.
  private let fifoFormat = Mutex<DeviceFormat?>(nil)
  /// Whether the automatic choice has found a device at least once.
  private let hasFoundDevice = Atomic(false)
  /// Whether the automatic choice has found a PulseAudio server at least once.
  private let hasFoundServer = Atomic(false)

  /// Creates an opener for `choice`, which uses `drivers` where no other output does.
  ///
  /// - Parameter buffer: The length of a FIFO's pipe; `nil` for the default.
  /// - Parameter openPulse: Opens an output to a PulseAudio server; `nil` if that is not possible.
  /// - Parameter openSoundCard: Opens a device of ALSA; `nil` if that is not possible.
  public init(
    _ choice: OutputChoice, drivers: any DriverLibrary, buffer: Duration? = nil, openPulse: PulseFactory? = nil,
    openSoundCard: SoundCardFactory? = nil, clock: any MonotonicClock = SystemClock()
  ) {
    self.choice = choice
    self.drivers = drivers
    self.buffer = buffer
    self.openPulse = openPulse
    self.openSoundCard = openSoundCard
    self.clock = clock
  }

  /// Starts to load the libraries that the output needs, if any, in the background. Can be called from any thread.
  public func prepare() {
    switch choice {
    case .silent, .fifo, .pulse, .soundCard, .file(driver: "raw", _): break
    case .automatic: if openPulse == nil { drivers.start() }
    case .live, .file: drivers.start()
    }
  }

  /// Opens the output for audio of `format`, or in the nearest format that the device accepts; see the
  /// output's `format`. Blocks while the driver does.
  ///
  /// A FIFO that is missing or has no reader can be opened the first time, but later only while it has a reader. If the
  /// output is a file, each call starts a new one: what was written before stays, and the rest goes to a numbered file.
  /// Everything written to standard error during the call, by libraries or by other threads, is captured.
  ///
  /// - Throws: `OutputError` if the driver or file that the user named does not open, or if the automatic choice has
  ///   found a device before and finds none now.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    switch choice {
    case .silent(let speed):
      return SilentOutput(format: format, speed: speed, clock: clock)
    case .pulse(let sink):
      guard let openPulse else {
        throw OutputError(kind: .unknownDriver, description: "libpulse is not supported")
      }
      do throws(OutputError) {
        return try openPulse(format, sink)
      } catch {
        throw OutputError(
          kind: error.kind, description: "output \(error.description); use `segue outputs` to list the others")
      }
    case .soundCard(let device):
      return try openSoundCard(device, format)
    case .live(let driver, let device):
      return try drivers.open(driver, device: device, format)
    case .fifo(let path):
      return try openFIFO(path, format)
    case .file(driver: "raw", let path) where isFIFO(path):
      return try openFIFO(path, format)
    case .file(let driver, let path):
      // libao writes AU files of 16 bits at most; if more is requested, it frees the file twice.
      let depth = driver == "au" ? SampleDepth.bits16 : format.depth
      return try openFile(
        driver, path,
        DeviceFormat(sampleRate: format.sampleRate, channels: format.channels, depth: depth))
    case .automatic:
      return try openAny(format)
    }
  }

  /// Opens a device of ALSA in `format`, or in the nearest format that it accepts.
  private func openSoundCard(_ device: String, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    guard let openSoundCard else {
      throw OutputError(kind: .unknownDriver, description: "alsa-exclusive is not supported")
    }
    // DSD is played as it is, or not at all.
    guard !format.isDSD else { return try openSoundCard(format, device) }
    let depths: [SampleDepth] =
      switch format.depth {
      case .bits16: [.bits16, .bits32, .bits24]
      case .bits24: [.bits24, .bits32, .bits16]
      case .bits32: [.bits32, .bits24, .bits16]
      }
    var failure: OutputError?
    for candidate in FormatCandidates.formats(for: format, depths: depths, convertsRates: false) {
      do throws(OutputError) {
        return try openSoundCard(candidate, device)
      } catch {
        guard error.kind == .unsupportedFormat else { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? OutputError(kind: .unsupportedFormat, description: "alsa-exclusive: no format is accepted")
  }

  /// Opens an output to a PulseAudio server, or else a driver.
  private func openAny(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    if let openPulse {
      do throws(OutputError) {
        let output = try openPulse(format, nil)
        hasFoundDevice.store(true, ordering: .relaxed)
        hasFoundServer.store(true, ordering: .relaxed)
        return output
      } catch {
        // The server is probably restarting. If something else took the device meanwhile, the server could not.
        if hasFoundServer.load(ordering: .relaxed) { throw error }
      }
    }
    do throws(NoDriverError) {
      let output = try drivers.openAny(format)
      hasFoundDevice.store(true, ordering: .relaxed)
      return output
    } catch {
      let reason = error.busyDriver.map { " (\($0): the device is busy)" } ?? ""
      guard !hasFoundDevice.load(ordering: .relaxed) else {
        throw OutputError(kind: .cannotOpen, description: "no output device available any more\(reason)")
      }
      return SilentOutput(
        format: format,
        warning:
          "no output device available\(reason): playing silently; use `segue outputs` to list the outputs, and --output to choose one",
        clock: clock)
    }
  }

  /// Whether `path` is a named FIFO, or was one earlier. The pipes in `/dev/fd` have no names.
  private func isFIFO(_ path: FilePath) -> Bool {
    if fifoFormat.withLock({ $0 != nil }) { return true }
    return path != OutputChoice.standardOutput && (try? FileStatus(of: path))?.kind == .fifo
      && !path.starts(with: "/dev/fd") && !path.starts(with: "/proc")
  }

  /// Opens a FIFO in stereo, at the rate and depth in which it was opened first: there is no way to tell its reader
  /// that the format has changed.
  private func openFIFO(_ path: FilePath, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    let known = fifoFormat.withLock { $0 }
    let format = known ?? DeviceFormat(sampleRate: format.sampleRate, channels: 2, depth: format.depth)
    let output = try FIFOOutput(path: path, format: format, buffer: buffer, awaitsReader: known == nil, clock: clock)
    fifoFormat.withLock { $0 = format }
    return output
  }

  private func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat
  ) throws(OutputError) -> any AudioOutput {
    let next = try nextFile(after: path, for: format)
    let warning = next == path ? nil : "writing the rest to \(next)"
    let output: any AudioOutput =
      driver == "raw"
      ? try RawFileOutput(path: next, format: format, warning: warning)
      : try drivers.openFile(driver, next, format, warning: warning)
    lastFileFormat.withLock { $0 = format }
    return output
  }

  /// Returns the path of the file to open next: `path`, or, if that already contains audio, a numbered file beside it.
  private func nextFile(after path: FilePath, for format: DeviceFormat) throws(OutputError) -> FilePath {
    guard let last = lastFileFormat.withLock({ $0 }) else { return path }
    if let next = path.firstFreeNumbered { return next }
    guard format == last else {
      throw OutputError(
        kind: .unsupportedFormat,
        description: "\(path.shown) was started in another format, and cannot hold the rest")
    }
    return path
  }
}

extension FilePath {
  /// The first path with a number after the stem, counting from 2, that does not exist; `nil` if this path is not a
  /// regular file.
  fileprivate var firstFreeNumbered: FilePath? {
    guard let stem, let status = try? FileStatus(of: self), status.kind == .regular else { return nil }
    let suffix = self.extension.map { ".\($0)" } ?? ""
    let candidates = (2...).lazy.compactMap { FilePath.Component("\(stem)-\($0)\(suffix)") }
      .map { removingLastComponent().appending($0) }
    return candidates.first { (try? FileStatus(of: $0, followingLinks: false)) == nil }
  }
}

/// Chooses the formats to try on a device, best first.
public enum FormatCandidates {
  private static let commonChannels = [2, 1, 6]
  private static let commonRates = [48_000, 44_100, 96_000, 192_000]

  /// Returns the formats to try for audio of format `wanted`, in this order: `wanted`; other depths; other channel
  /// counts, stereo first, each in every depth; then the same for other rates.
  ///
  /// - Parameter depths: The depths to try, best first.
  /// - Parameter convertsRates: Whether the driver accepts any rate, so that trying other rates would not help.
  public static func formats(for wanted: DeviceFormat, depths: [SampleDepth], convertsRates: Bool) -> [DeviceFormat] {
    let channels = [wanted.channels] + commonChannels.filter { $0 != wanted.channels }
    return (convertsRates ? [wanted.sampleRate] : rates(for: wanted.sampleRate)).flatMap { rate in
      channels.flatMap { channels in
        depths.map { DeviceFormat(sampleRate: rate, channels: channels, depth: $0) }
      }
    }
  }

  /// Returns the rates to try for `wanted` Hz: the rate itself, its multiples, its divisors, then others, nearest
  /// first.
  static func rates(for wanted: Int) -> [Int] {
    [wanted]
      + commonRates.filter { $0 != wanted }.sorted {
        (kind($0, wanted), abs($0 - wanted), $0) < (kind($1, wanted), abs($1 - wanted), $1)
      }
  }

  /// Returns the rank of a rate: 0 for a multiple of `wanted`, 1 for a divisor, 2 for anything else.
  private static func kind(_ rate: Int, _ wanted: Int) -> Int {
    guard wanted > 0 else { return 2 }
    return rate % wanted == 0 ? 0 : wanted % rate == 0 ? 1 : 2
  }
}
