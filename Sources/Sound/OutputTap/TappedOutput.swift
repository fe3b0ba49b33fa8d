// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// An output whose frames also go to a tap.
class TappedOutput: AudioOutput {
  fileprivate let tap: OutputTap
  private let output: any AudioOutput
  private var deviceClock: DeviceClock

  let format: DeviceFormat
  let bufferFrames: Int
  let periodFrames: Int

  init(_ output: any AudioOutput, _ tap: OutputTap) {
    self.output = output
    self.tap = tap
    (format, bufferFrames, periodFrames) = (output.format, output.bufferFrames, output.periodFrames)
    deviceClock = DeviceClock(sampleRate: output.format.sampleRate, bufferFrames: output.bufferFrames)
  }

  var name: String { output.name }
  var isRealTime: Bool { output.isRealTime }
  var needsRealTime: Bool { output.needsRealTime }
  var staysOpenInPause: Bool { output.staysOpenInPause }
  var warning: String? { output.warning }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let start = MonotonicInstant.now
    do throws(OutputError) {
      try unsafe output.write(bytes)
    } catch {
      tap.removeAll()
      throw error
    }
    let end = MonotonicInstant.now
    deviceClock.recordWrite(of: bytes.count / format.frameByteCount, from: start, to: end)
    unsafe add(bytes, unplayedNanoseconds: deviceClock.lag(at: end), at: end)
  }

  /// Adds the frames that were just written; with these, `unplayedNanoseconds` are left to play at `now`.
  fileprivate func add(_ bytes: UnsafeRawBufferPointer, unplayedNanoseconds: UInt64, at now: MonotonicInstant) {
    let frames = bytes.count / format.frameByteCount
    let length = UInt64(Double(frames) * 1e9 / Double(max(1, format.sampleRate)))
    let end = now.nanoseconds &+ unplayedNanoseconds
    unsafe tap.add(bytes, format, from: MonotonicInstant(nanoseconds: end > length ? end - length : 0))
  }

  func close() throws(OutputError) {
    defer { tap.finish() }
    try output.close()
  }
}

/// An output from which frames can be taken back, whose frames also go to a tap.
final class TappedRewindableOutput: TappedOutput, RewindableOutput {
  private let rewindable: any RewindableOutput

  init(_ rewindable: any RewindableOutput, _ tap: OutputTap) {
    self.rewindable = rewindable
    super.init(rewindable, tap)
  }

  var unplayedFrames: Int { rewindable.unplayedFrames }
  var isSuspended: Bool { rewindable.isSuspended }

  func synchronize() throws(OutputError) -> Duration { try rewindable.synchronize() }

  func onChange(_ notify: @escaping @Sendable () -> Void) { rewindable.onChange(notify) }

  override func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    do throws(OutputError) {
      try unsafe rewindable.write(bytes)
    } catch {
      tap.removeAll()
      throw error
    }
    let unplayed = Double(rewindable.unplayedFrames) * 1e9 / Double(max(1, format.sampleRate))
    unsafe add(bytes, unplayedNanoseconds: UInt64(max(0, unplayed)), at: .now)
  }

  func takeBack(atMost limit: Int) throws(OutputError) -> Int {
    let count = try rewindable.takeBack(atMost: limit)
    tap.removeLast(count)
    return count
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    try rewindable.setPaused(isPaused)
    if isPaused { tap.removeAll() }
  }
}
