import AudioCore
import Platform
import SystemPackage

/// Samples as they are to a FIFO that has a name, as Snapcast's server reads one: a device that keeps its reader's
/// time, and holds what the pipe holds.
///
/// A reader that takes more than is played gets no more for it. One that goes is a device that went.
final class FIFOOutput: AudioOutput {
  /// How many samples a pipe holds at least that is asked for nothing.
  private static let usualWish = Duration.milliseconds(200)
  /// How much faster than this machine's clock a reader may be: clocks of sound cards are less than that apart.
  private static let fastest = 0.999
  /// How long a reader may take nothing before it counts as gone: less than the engine waits for a device.
  private static let patienceMilliseconds: UInt64 = 8_000
  /// What follows the sound: who reads by pieces gets the last of it whole.
  private static let tailMilliseconds = 50

  let format: DeviceFormat
  let isRealTime = true
  let isKeptInPause = true
  let warning: String? = nil
  let bufferFrames: Int
  private let path: FilePath
  /// `nil` where nobody reads, or after the end.
  private var writer: FIFOWriter?
  /// Why there was no writer from the beginning.
  private var absence = "nobody reads it"
  private let clock: any MonotonicClock
  /// When what was taken would be played.
  private var end: MonotonicInstant

  var name: String { "\(path.shown)" }
  var periodFrames: Int { max(1, bufferFrames / 4) }

  /// Opens the FIFO at `path`, and asks it to hold `buffer`.
  ///
  /// - Parameter awaitsReader: whether it opens also where it is not there yet, or nobody reads; then the first sound
  ///   reports that it is lost.
  /// - Throws: `OutputError` where it cannot be opened.
  init(path: FilePath, format: DeviceFormat, buffer: Duration?, awaitsReader: Bool, clock: any MonotonicClock)
    throws(OutputError)
  {
    self.path = path
    self.clock = clock
    end = clock.now
    self.format = format
    let wish = Self.byteCount(buffer ?? Self.usualWish, format)
    // Pipes become no smaller but where that is wished.
    let needsMore = buffer != nil || wish > 1 << 16
    do throws(Errno) {
      writer = try FIFOWriter(path, holding: needsMore ? wish : nil)
    } catch {
      switch error {
      case .noSuchAddressOrDevice: break
      case .noSuchFileOrDirectory: absence = "there is no such FIFO"
      case .invalidArgument:
        throw OutputError(kind: .cannotOpen, description: "\(path.shown) is no FIFO")
      default: throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
      }
      if !awaitsReader { throw OutputError(kind: .cannotOpen, description: "\(path.shown): \(absence)") }
    }
    bufferFrames = max(1, (writer?.capacity ?? 1 << 16) / format.frameByteCount)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let writer else { throw OutputError(kind: .lost, description: "\(path.shown): \(absence)") }
    do throws(Errno) {
      try keepTime(bytes.count / format.frameByteCount, writer)
      unsafe try put(bytes, to: writer, within: Self.patienceMilliseconds)
    } catch {
      self.writer = nil
      let reason =
        switch error {
        case .brokenPipe: "its reader has gone"
        case .timedOut: "its reader takes no more sound"
        default: "\(error)"
        }
      throw OutputError(kind: .lost, description: "\(path.shown): \(reason)")
    }
  }

  /// Waits until the reader has taken all, with some silence behind it, as long as that is played at most.
  func close() {
    guard let writer = writer.take() else { return }
    let silence = [UInt8](
      repeating: 0, count: format.sampleRate * Self.tailMilliseconds / 1000 * format.frameByteCount)
    let limit = clock.now.advanced(byMilliseconds: milliseconds(writer.capacity) + 100)
    let isPut: ()? = unsafe silence.withUnsafeBytes { unsafe try? put($0, to: writer, within: 500) }
    guard isPut != nil else { return }
    while writer.unreadCount > 0, clock.now < limit {
      guard (try? writer.wait(milliseconds: 10)) != nil else { return }
    }
  }

  /// Waits until so many frames more are no more than the pipe holds ahead of time.
  private func keepTime(_ frames: Int, _ writer: FIFOWriter) throws(Errno) {
    let second = 1e9 * Self.fastest / Double(max(1, format.sampleRate))
    end = MonotonicInstant(nanoseconds: max(end, clock.now).nanoseconds + UInt64(Double(frames) * second))
    let ahead = UInt64(Double(bufferFrames) * second)
    while end.nanoseconds > clock.now.nanoseconds + ahead {
      let rest = end.nanoseconds - ahead - clock.now.nanoseconds
      try writer.wait(milliseconds: Int(clamping: rest / 1_000_000 + 1))
    }
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `timedOut` where the reader takes nothing for so long.
  private func put(
    _ bytes: UnsafeRawBufferPointer, to writer: FIFOWriter, within milliseconds: UInt64
  ) throws(Errno) {
    var rest = unsafe bytes
    var limit = clock.now.advanced(byMilliseconds: milliseconds)
    while unsafe !rest.isEmpty {
      let count = unsafe try writer.write(rest)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      if count > 0 {
        limit = clock.now.advanced(byMilliseconds: milliseconds)
      } else if clock.now >= limit {
        throw .timedOut
      }
      // One that keeps time has room for what is left when that much time has passed.
      if unsafe !rest.isEmpty {
        try writer.wait(milliseconds: min(100, Int(self.milliseconds(rest.count)) + 1))
      }
    }
  }

  /// How long so many bytes last.
  private func milliseconds(_ byteCount: Int) -> UInt64 {
    UInt64(max(0, byteCount) / format.frameByteCount * 1000 / max(1, format.sampleRate))
  }

  private static func byteCount(_ duration: Duration, _ format: DeviceFormat) -> Int {
    Int(clamping: Int64(duration / .milliseconds(1)) * Int64(format.sampleRate) / 1000)
      * format.frameByteCount
  }
}
