// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform

/// An output whose frames also go to a tap.
class TappedOutput: AudioOutput {
  fileprivate let tap: OutputTap
  fileprivate let number: UInt64
  private let output: any AudioOutput
  private var deviceClock: DeviceClock

  let format: DeviceFormat
  let bufferFrames: Int
  let periodFrames: Int

  init(_ output: any AudioOutput, _ tap: OutputTap, _ number: UInt64) {
    self.output = output
    self.tap = tap
    self.number = number
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
    try droppingOnError { () throws(OutputError) in try unsafe output.write(bytes) }
    let end = MonotonicInstant.now
    deviceClock.recordWrite(of: bytes.count / format.frameByteCount, from: start, to: end)
    unsafe add(bytes, unplayedNanoseconds: deviceClock.lag(at: end), at: end)
  }

  /// Adds the frames that were just written; with these, `unplayedNanoseconds` are left to play at `now`.
  fileprivate func add(_ bytes: UnsafeRawBufferPointer, unplayedNanoseconds: UInt64, at now: MonotonicInstant) {
    let end = MonotonicInstant(nanoseconds: now.nanoseconds &+ unplayedNanoseconds)
    tap.change(for: number) { unsafe $0.append(bytes, format, endingAt: end) }
  }

  /// Drops what is not audible yet if `body` fails: the device is lost.
  fileprivate func droppingOnError<Value>(_ body: () throws(OutputError) -> Value) throws(OutputError) -> Value {
    do throws(OutputError) {
      return try body()
    } catch {
      tap.change(for: number) { $0.removeAll() }
      throw error
    }
  }

  func close() throws(OutputError) {
    defer { tap.finish(number) }
    try droppingOnError { () throws(OutputError) in try output.close() }
  }
}

/// An output from which frames can be taken back, whose frames also go to a tap.
final class TappedRewindableOutput: TappedOutput, RewindableOutput {
  private let rewindable: any RewindableOutput

  init(_ rewindable: any RewindableOutput, _ tap: OutputTap, _ number: UInt64) {
    self.rewindable = rewindable
    super.init(rewindable, tap, number)
  }

  var unplayedFrames: Int { rewindable.unplayedFrames }
  var isSuspended: Bool { rewindable.isSuspended }
  var hasDropped: Bool { rewindable.hasDropped }
  var appliesVolume: Bool { rewindable.appliesVolume }

  private var unplayedNanoseconds: UInt64 {
    UInt64(max(0, Double(rewindable.unplayedFrames) * 1e9 / Double(max(1, format.sampleRate))))
  }

  func synchronize(isComplete: Bool) throws(OutputError) -> Duration {
    let interval = try droppingOnError { () throws(OutputError) in try rewindable.synchronize(isComplete: isComplete) }
    let end = MonotonicInstant(nanoseconds: MonotonicInstant.now.nanoseconds &+ unplayedNanoseconds)
    tap.change(for: number) { $0.move(toEndAt: end) }
    return interval
  }

  func onChange(_ notify: @escaping @Sendable () -> Void) { rewindable.onChange(notify) }

  func setVolume(_ gain: Float) throws(OutputError) {
    try droppingOnError { () throws(OutputError) in try rewindable.setVolume(gain) }
  }

  override func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try droppingOnError { () throws(OutputError) in try unsafe rewindable.write(bytes) }
    unsafe add(bytes, unplayedNanoseconds: unplayedNanoseconds, at: .now)
  }

  func takeBack(atMost limit: Int) throws(OutputError) -> Int {
    let count = try droppingOnError { () throws(OutputError) in try rewindable.takeBack(atMost: limit) }
    tap.change(for: number) { $0.removeLast(count) }
    return count
  }

  func setPaused(_ isPaused: Bool) throws(OutputError) {
    try droppingOnError { () throws(OutputError) in try rewindable.setPaused(isPaused) }
    if isPaused { tap.change(for: number) { $0.removeAll() } }
  }
}
