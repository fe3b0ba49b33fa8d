// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage

/// An output that writes raw samples to a named FIFO, such as the one that Snapcast's server reads. It acts as a device
/// that runs at its reader's speed, with the pipe as its buffer.
///
/// A reader that reads faster than the audio plays does not get it sooner. If the reader closes the FIFO, the device
/// counts as lost.
final class FIFOOutput: AudioOutput {
  /// The length of the pipe to request if the user requests none.
  private static let defaultBuffer = Duration.milliseconds(200)
  /// The factor by which the duration of a frame is shortened, since the reader's clock may be faster than this
  /// machine's: the clocks of sound cards differ by less.
  private static let paceFactor = 0.999
  /// The time without reading after which a reader counts as lost, in milliseconds: less than the engine's timeout for
  /// a device.
  private static let readerTimeoutMilliseconds: UInt64 = 8_000
  /// The length of the silence after the end, in milliseconds, so that a reader that reads in blocks gets the last of
  /// the audio.
  private static let tailMilliseconds = 50

  let format: DeviceFormat
  let isRealTime = true
  let staysOpenInPause = true
  let warning: String? = nil
  let bufferFrames: Int
  private let path: FilePath
  /// The open FIFO; `nil` if it has no reader, or after the end.
  private var writer: FIFOWriter?
  /// The reason why the FIFO could not be opened at first.
  private var missingReason = "no reader"
  private let clock: any MonotonicClock
  /// The instant at which everything accepted so far will have been played.
  private var end: MonotonicInstant

  var name: String { "\(path.shown)" }
  var periodFrames: Int { max(1, bufferFrames / 4) }

  /// Opens the FIFO at `path`, and requests a pipe whose capacity is `buffer`.
  ///
  /// - Parameter awaitsReader: Whether to succeed even if the FIFO is missing or has no reader. Then the first write
  ///   throws that the device is lost.
  /// - Throws: `OutputError` if it cannot be opened.
  init(path: FilePath, format: DeviceFormat, buffer: Duration?, awaitsReader: Bool, clock: any MonotonicClock)
    throws(OutputError)
  {
    self.path = path
    self.clock = clock
    end = clock.now
    self.format = format
    let requested = Self.byteCount(buffer ?? Self.defaultBuffer, format)
    // The pipe is made smaller than the default only if the user asks for that.
    let setsCapacity = buffer != nil || requested > 1 << 16
    do throws(Errno) {
      writer = try FIFOWriter(path, holding: setsCapacity ? requested : nil)
    } catch {
      switch error {
      case .noSuchAddressOrDevice: break
      case .noSuchFileOrDirectory: missingReason = "no such FIFO"
      case .invalidArgument:
        throw OutputError(kind: .cannotOpen, description: "\(path.shown) is not a FIFO")
      default: throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
      }
      if !awaitsReader { throw OutputError(kind: .cannotOpen, description: "\(path.shown): \(missingReason)") }
    }
    bufferFrames = max(1, (writer?.capacity ?? 1 << 16) / format.frameByteCount)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let writer else { throw OutputError(kind: .lost, description: "\(path.shown): \(missingReason)") }
    do throws(Errno) {
      try pace(bytes.count / format.frameByteCount, writer)
      unsafe try writeAll(bytes, to: writer, timeout: Self.readerTimeoutMilliseconds)
    } catch {
      self.writer = nil
      let reason =
        switch error {
        case .brokenPipe: "the reader has closed it"
        case .timedOut: "the reader of the FIFO is not responding"
        default: "\(error)"
        }
      throw OutputError(kind: .lost, description: "\(path.shown): \(reason)")
    }
  }

  /// Writes some silence and waits until the reader has read everything, but hardly longer than playing it takes.
  func close() {
    guard let writer = writer.take() else { return }
    let silence = [UInt8](
      repeating: 0, count: format.sampleRate * Self.tailMilliseconds / 1000 * format.frameByteCount)
    let limit = clock.now.advanced(byMilliseconds: milliseconds(writer.capacity) + 100)
    let isWritten: ()? = unsafe silence.withUnsafeBytes { unsafe try? writeAll($0, to: writer, timeout: 500) }
    guard isWritten != nil else { return }
    while writer.unreadCount > 0, clock.now < limit {
      guard (try? writer.wait(milliseconds: 10)) != nil else { return }
    }
  }

  /// Waits until, with `frames` more frames, the output is ahead of real time by no more than the pipe's capacity.
  private func pace(_ frames: Int, _ writer: FIFOWriter) throws(Errno) {
    let frameNanoseconds = 1e9 * Self.paceFactor / Double(max(1, format.sampleRate))
    end = MonotonicInstant(nanoseconds: max(end, clock.now).nanoseconds + UInt64(Double(frames) * frameNanoseconds))
    let maximumLead = UInt64(Double(bufferFrames) * frameNanoseconds)
    while end.nanoseconds > clock.now.nanoseconds + maximumLead {
      let rest = end.nanoseconds - maximumLead - clock.now.nanoseconds
      try writer.wait(milliseconds: Int(clamping: rest / 1_000_000 + 1))
    }
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `timedOut` if the reader reads nothing for `milliseconds`.
  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, to writer: FIFOWriter, timeout milliseconds: UInt64
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
      // A real-time reader makes room for the rest in the time that playing the rest takes.
      if unsafe !rest.isEmpty {
        try writer.wait(milliseconds: min(100, Int(self.milliseconds(rest.count)) + 1))
      }
    }
  }

  /// Returns the playing time of this many bytes, in milliseconds.
  private func milliseconds(_ byteCount: Int) -> UInt64 {
    UInt64(max(0, byteCount) / format.frameByteCount * 1000 / max(1, format.sampleRate))
  }

  private static func byteCount(_ duration: Duration, _ format: DeviceFormat) -> Int {
    Int(clamping: Int64(duration / .milliseconds(1)) * Int64(format.sampleRate) / 1000)
      * format.frameByteCount
  }
}
