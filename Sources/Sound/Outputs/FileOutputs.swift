// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage

/// An output that writes raw samples to a file. It does not use libao, and so does not wait for libao's drivers.
final class RawFileOutput: AudioOutput {
  let format: DeviceFormat
  /// Whether the file is a pipe, whose reader may be playing it.
  let isRealTime: Bool
  let warning: String?
  let bufferFrames = 0
  let periodFrames = 8192
  private let path: FilePath
  private var file: FileDescriptor?

  var name: String { "\(path.shown)" }

  /// Creates or overwrites the file at `path`.
  init(path: FilePath, format: DeviceFormat, warning: String?) throws(OutputError) {
    self.path = path
    self.format = format
    self.warning = warning
    do {
      file =
        path == OutputChoice.standardOutput
        ? try FileDescriptor.standardOutput.ownDuplicate()
        : try FileDescriptor.open(
          path, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
    }
    let statusPath = path == OutputChoice.standardOutput ? FilePath("/dev/stdout") : path
    isRealTime = (try? FileStatus(of: statusPath))?.kind == .fifo
  }

  deinit { try? file?.close() }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let file else { throw incomplete(Errno.badFileDescriptor) }
    var rest = unsafe bytes
    do {
      while unsafe !rest.isEmpty {
        let count = try unsafe file.write(rest)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    } catch {
      throw incomplete(error)
    }
  }

  func close() throws(OutputError) {
    do {
      try file.take()?.close()
    } catch {
      throw incomplete(error)
    }
  }

  private func incomplete(_ error: any Error) -> OutputError {
    OutputError(
      kind: .incomplete,
      description:
        "\(path.shown): incomplete write (\(error)); is the disk full, or did the reader close it?")
  }
}

/// An output that discards audio at the speed at which it would be played, or at a multiple of it.
final class SilentOutput: AudioOutput {
  /// How far audio may be ahead of the clock, in milliseconds; it takes the place of a device's buffer.
  private static let bufferMilliseconds: UInt64 = 50

  let format: DeviceFormat
  let name = "silent"
  let isRealTime = true
  let warning: String?
  var bufferFrames: Int { max(1, format.sampleRate * Int(Self.bufferMilliseconds) / 1000) }
  var periodFrames: Int { max(1, bufferFrames / 2) }
  private let speed: Int
  private let clock: any MonotonicClock
  /// The instant at which everything accepted so far would have been played.
  private var end: MonotonicInstant

  /// Creates an output for `format` that runs at `speed` times the normal speed.
  init(format: DeviceFormat, speed: Int = 1, warning: String? = nil, clock: any MonotonicClock) {
    self.format = format
    self.speed = max(1, speed)
    self.warning = warning
    self.clock = clock
    end = clock.now
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let frames = UInt64(bytes.count / format.frameByteCount)
    let length = frames * 1_000_000_000 / UInt64(format.sampleRate * speed)
    end = MonotonicInstant(nanoseconds: max(end, clock.now).nanoseconds + length)
    if end.nanoseconds > Self.bufferMilliseconds * 1_000_000 {
      clock.sleep(until: MonotonicInstant(nanoseconds: end.nanoseconds - Self.bufferMilliseconds * 1_000_000))
    }
  }

  func close() { clock.sleep(until: end) }
}
