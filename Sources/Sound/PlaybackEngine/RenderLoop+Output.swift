// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// Opening, closing and losing the output.
extension RenderLoop {
  /// How long opening or closing a device may normally take.
  private static let openingMilliseconds: UInt64 = 1500

  /// Opens an output for `frames`, in place of the open one; returns `false` if that fails.
  func openOutput(for frames: StreamFrames, generation: UInt64) -> Bool {
    let format = frames.format
    let wanted = DeviceFormat(
      sampleRate: format.sampleRate, channels: format.channels,
      depth: (format.isDSD ? nil : context.settings.depth) ?? format.sourceDepth ?? .bits16, isDSD: format.isDSD)
    guard close(generation: generation) else { return false }
    if format.isDSD, !context.leavesSamples(channels: format.channels) {
      endGeneration(generation, toConvert: frames.origin(at: offset))
      return false
    }
    do throws(OutputError) {
      // A FIFO that waits for its reader is not stuck.
      if expectsDevice { watch.begin(allowing: Self.openingMilliseconds) }
      let opened = Result { () throws(OutputError) in try openOutput(wanted) }
      isAbandoned = !watch.end()
      if isAbandoned {
        output = try? opened.get()
        return false
      }
      let output = try opened.get()
      adopt(output, for: wanted)
      guard output.format.shape == wanted.shape else {
        context.device.withLock { $0.refusals[wanted.shape] = output.format.shape }
        endGeneration(generation, toConvert: frames.origin(at: offset))
        return false
      }
      return true
    } catch {
      if format.isDSD, error.kind == .unsupportedFormat {
        context.device.withLock { _ = $0.refusedDSD.insert(wanted.shape) }
        endGeneration(generation, toConvert: frames.origin(at: offset))
      } else {
        fail(error, generation: generation)
      }
      return false
    }
  }

  /// Drops the rest of a generation, so that it is decoded again from `origin` on, in a format that can be played.
  func endGeneration(_ generation: UInt64, toConvert origin: FrameOrigin) {
    endedGeneration = generation
    postMessage(.outputFormatDiffers(origin, generation: generation))
  }

  private func adopt(_ output: any AudioOutput, for wanted: DeviceFormat) {
    (self.output, playsDSD) = (output, output.format.isDSD)
    rewindable = output as? any RewindableOutput
    rewindable?.onChange { [renderSignal = context.renderSignal] in renderSignal.wake() }
    positionPublisher.commitment.store(
      rewindable == nil ? .max : Self.commitmentNanoseconds, ordering: .relaxed)
    equaliser.begin(output.format)
    requested = wanted
    totalAtOpening = rewinding.total
    expectsDevice = output.bufferFrames > 0
    if needsRealTime != output.needsRealTime {
      needsRealTime = output.needsRealTime
      (needsRealTime ? ThreadPriority.realTime : .urgent).request()
    }
    deviceClock = DeviceClock(sampleRate: output.format.sampleRate, bufferFrames: output.bufferFrames)
    context.isOutputRealTime.store(output.isRealTime, ordering: .relaxed)
    context.device.withLock {
      $0.failure = nil
      $0.open = output.format
    }
    postMessage(
      .outputOpened(
        OpenedOutput(
          name: output.name, format: output.format, bufferFrames: output.bufferFrames,
          commandLatency: rewindable.map { _ in .nanoseconds(Self.commitmentNanoseconds) },
          staysOpenInPause: output.staysOpenInPause, warning: output.warning)))
  }

  func accepts(_ format: AudioFormat, _ output: any AudioOutput) -> Bool {
    guard output.format.shape == format.shape else { return false }
    return context.settings.formatChange == .resample || context.settings.depth != nil
      || output.format.carries(format)
      || requested == DeviceFormat(for: format)
  }

  /// Closes the output, if one is open; returns `false` if that fails.
  @discardableResult
  func close(generation: UInt64) -> Bool {
    let lag = lag(at: clock.now) / 1_000_000
    guard let output = takeOutput() else { return true }
    do throws(OutputError) {
      try close(output, lag: lag)
      return !isAbandoned
    } catch {
      if !isAbandoned { fail(error, generation: generation) }
      return false
    }
  }

  /// Fades out and closes the output, so that the next frames open one again. If the output did not accept the format
  /// of the source, these frames are decoded again: the next output may.
  func closeToReopen() {
    guard context.mustReopen.exchange(false, ordering: .acquiring) else { return }
    let isConverted = context.device.withLock { device in
      defer { device.refusedDSD = [] }
      return !device.refusals.isEmpty || !device.refusedDSD.isEmpty
    }
    fadeOut()
    guard !isAbandoned, close(generation: announced?.generation ?? 0), isConverted,
      let header = unsafe pipeline.ring.firstBlock()?.header, let frames = header.frames, !isStale(header)
    else { return }
    endGeneration(header.generation, toConvert: frames.origin(at: offset))
  }

  private func close(_ output: any AudioOutput, lag: UInt64 = 0) throws(OutputError) {
    defer { isAbandoned = !watch.end() }
    if expectsDevice { watch.begin(allowing: lag + Self.openingMilliseconds) }
    try output.close()
  }

  private func takeOutput() -> (any AudioOutput)? {
    (requested, playsDSD) = (nil, false)
    (rewindable, isDevicePaused, synchronizationDeadline) = (nil, false, nil)
    context.isOutputSuspended.store(false, ordering: .relaxed)
    rewinding.end()
    releasePassed()
    equaliser.end()
    isSilent = true
    deviceClock = DeviceClock(sampleRate: 1, bufferFrames: 0)
    context.device.withLock {
      $0.open = nil
      $0.refusals = [:]
    }
    return output.take()
  }

  private func fail(_ error: OutputError, generation: UInt64) {
    endedGeneration = generation
    context.device.withLock { ($0.failure, $0.refusedDSD) = (error, []) }
    postMessage(.outputFailed(error, generation: generation))
  }

  /// Closes an output that failed, and reports its error.
  func handleWriteError(_ error: OutputError, generation: UInt64) {
    // A card that does not play the DSD that it has declared.
    let isRefusal = playsDSD && rewinding.total - totalAtOpening < Int64(output?.format.sampleRate ?? 0)
    let shape = output?.format.shape
    guard let output = takeOutput() else { return }
    // Reported first, since closing may take time. A second error from closing would add nothing.
    fail(error, generation: generation)
    if isRefusal, let shape { context.device.withLock { _ = $0.refusedDSD.insert(shape) } }
    try? close(output)
  }
}

struct OpenedOutput: Sendable, Hashable {
  /// The name of the output, for the user.
  var name: String
  /// The format of the samples that the output accepts.
  var format: DeviceFormat
  /// The maximum number of frames that the output buffers; 0 if it is not real-time.
  var bufferFrames: Int
  /// The maximum time until a command is audible; `nil` if it has to wait until the buffer has been played.
  var commandLatency: Duration?
  /// Whether the output stays open during a pause, however long.
  var staysOpenInPause = false
  /// A warning for the user about how the output was opened; `nil` if there is none.
  var warning: String?

  /// Whether the output is a device, which plays in real time, and may be lost and come back.
  var isDevice: Bool { bufferFrames > 0 }

  /// The event that the engine emits when the output has been opened.
  var event: EngineEvent {
    .outputOpened(
      name: name, format: format,
      latency: commandLatency ?? .seconds(1) * bufferFrames / max(1, format.sampleRate), warning: warning)
  }
}

/// The back-off between attempts to reopen a lost device.
struct ReopenBackoff: Sendable, Equatable {
  /// The delay before each attempt; the last one is repeated.
  private static let pauses: [Duration] = [
    .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600), .milliseconds(3200),
    .seconds(5),
  ]

  private var attempts = 0

  /// Returns the delay before the next attempt.
  mutating func nextPause() -> Duration {
    defer { attempts += 1 }
    return Self.pauses[min(attempts, Self.pauses.count - 1)]
  }
}
