// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs
import Platform
import SystemPackage

/// An output that plays to a device through libao.
final class AOOutput: AudioOutput {
  let format: DeviceFormat
  let name: String
  let isRealTime: Bool
  let warning: String? = nil
  let bufferFrames: Int
  let periodFrames: Int
  let needsRealTime: Bool
  private let device: any PlaybackDevice
  private let clock: any MonotonicClock
  private var tail: SilentTail?

  init(
    device: any PlaybackDevice, driver: AODriver, buffer: DriverBuffer, format: DeviceFormat, clock: any MonotonicClock
  ) {
    self.device = device
    self.clock = clock
    self.format = format
    name = driver.name
    isRealTime = !driver.isNull
    bufferFrames = driver.isNull ? 0 : buffer.frames(format)
    periodFrames = driver.isNull ? 8192 : buffer.periodFrames(format)
    needsRealTime = !driver.isNull && !driver.isSoundServer
    tail = SilentTail(driver: name, bufferFrames: bufferFrames, sampleRate: format.sampleRate)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    tail?.write(bytes.count / format.frameByteCount, at: clock.now)
    guard unsafe device.play(bytes) else {
      tail = nil
      throw OutputError(kind: .lost, description: "\(name): device lost")
    }
  }

  func close() throws(OutputError) {
    if let silence = tail?.silence, silence > 0 {
      let bytes = [UInt8](repeating: 0, count: silence * format.frameByteCount)
      _ = unsafe bytes.withUnsafeBytes { unsafe device.play($0) }
    }
    device.close()
  }
}

/// Computes how much silence must follow the last sound, so that a driver plays that sound to its end.
///
/// A PulseAudio stream starts to play when its buffer is full, also after an underrun; libao closes it without draining
/// it. libao also closes it early, by the delay that the sink had when the stream was opened; and the sink drops the
/// buffered samples of a stream that ends (`PA_SINK_MESSAGE_REMOVE_INPUT` in PulseAudio 16's sink.c), which are half of
/// the buffer at most. Through ALSA's plug-in for PulseAudio, some milliseconds are lost in the same way.
struct SilentTail {
  private let startFrames: Int
  private let endFrames: Int
  private let sampleRate: Int
  /// The instant at which everything written so far would have been played, if playback had started at once.
  private var end = MonotonicInstant(nanoseconds: 0)
  /// The number of frames written since the last underrun, limited to `startFrames`; 0 if nothing was written.
  private var frameCount = 0

  /// Creates the tail for `driver`, whose buffer holds `bufferFrames` frames at `sampleRate` Hz; returns `nil` if the
  /// driver needs none.
  init?(driver: String, bufferFrames: Int, sampleRate: Int) {
    switch driver {
    case "pulse": (startFrames, endFrames) = (bufferFrames, bufferFrames / 2)
    case "alsa": (startFrames, endFrames) = (1, bufferFrames / 4)
    default: return nil
    }
    self.sampleRate = max(1, sampleRate)
  }

  /// Records that `count` frames are about to be written at `now`.
  mutating func write(_ count: Int, at now: MonotonicInstant) {
    if now >= end { frameCount = 0 }
    let length = UInt64(clamping: count) * 1_000_000_000 / UInt64(clamping: sampleRate)
    end = MonotonicInstant(nanoseconds: max(end, now).nanoseconds + length)
    frameCount = min(frameCount + count, startFrames)
  }

  /// The number of frames of silence to write before closing.
  var silence: Int { frameCount == 0 ? 0 : max(startFrames - frameCount, endFrames) }
}

/// An output that writes a file through libao. libao reports neither a full disk nor any other failed write, so the
/// size of the file is checked at the end.
final class FileOutput: AudioOutput {
  let format: DeviceFormat
  /// Whether the file is a pipe, whose reader may be playing it.
  let isRealTime: Bool
  let warning: String?
  private let path: FilePath
  /// The path at which the size of the file can be read.
  private let file: FilePath
  private let standardOutput: FileDescriptor?
  private var device: AODevice?
  private var byteCount: Int64 = 0

  let bufferFrames = 0
  let periodFrames = 8192

  var name: String { "\(path.shown)" }

  /// Creates or overwrites the file at `path`. If it is a FIFO, waits for its reader.
  init(driver: String, path: FilePath, format: DeviceFormat, warning: String?) throws(OutputError) {
    self.path = path
    self.format = format
    self.warning = warning
    let isStandardOutput = path == OutputChoice.standardOutput
    file = isStandardOutput ? FilePath("/dev/stdout") : path
    standardOutput = isStandardOutput ? try? FileDescriptor.standardOutput.ownDuplicate() : nil
    let kind = (try? FileStatus(of: file))?.kind
    isRealTime = kind == .fifo
    if kind == nil || kind == .regular || kind == .directory { try Self.checkWritable(file) }
    do throws(AOError) {
      device = try AODevice(fileDriver: driver, path: path, format: format)
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown): \(error.message)")
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let isAccepted = unsafe device?.play(bytes), isAccepted else { throw incomplete }
    byteCount += Int64(bytes.count)
  }

  func close() throws(OutputError) {
    device.take()?.close()
    // libao closes standard output, and the next file to be opened would get its descriptor.
    if let standardOutput {
      _ = try? standardOutput.duplicate(as: .standardOutput)
      try? standardOutput.close()
    }
    guard let status = try? FileStatus(of: file), status.kind == .regular else { return }
    if status.size < byteCount { throw incomplete }
  }

  private var incomplete: OutputError {
    OutputError(
      kind: .incomplete,
      description: "\(path.shown): incomplete write; is the disk full, or did the reader close it?")
  }

  private static func checkWritable(_ path: FilePath) throws(OutputError) {
    do {
      try FileDescriptor.open(
        path, .writeOnly, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead]
      ).close()
    } catch {
      throw OutputError(kind: .cannotOpen, description: "\(path.shown) cannot be written: \(error)")
    }
  }
}
