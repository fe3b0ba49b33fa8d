// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Platform

/// A simulated real-time device with a deep buffer, from which frames can be taken back.
public final class RewindableDevice: Sendable {
  private struct State: Sendable {
    var format: DeviceFormat?
    /// All samples that were or will be audible.
    var samples: [Int32] = []
    /// The number of frames that were audible at `instant`.
    var playedFrames = 0.0
    var instant = MonotonicInstant(nanoseconds: 0)
    var isPaused = false
    var takeBackCount = 0
    var writeCount = 0
    var isLost = false
    var isSuspended = false
    var hasDropped = false
    var requests: [DeviceFormat] = []
    /// What was written, but not sent.
    var unsent: [Int32] = []
    /// Reports a change of the device.
    var notify: @Sendable () -> Void = {}

    var frameCount: Int { samples.count / max(1, format?.channels ?? 1) }
  }

  /// The number of frames that the device buffers.
  public let bufferFrames: Int
  /// The number of frames before they are audible that can no longer be taken back.
  public let marginFrames: Int
  private let playsDSD: Bool
  private let clock: any MonotonicClock
  private let state = Watched(State())

  /// Creates a device that buffers `bufferFrames` frames, and lets them be taken back until `marginFrames` frames
  /// before they are audible.
  public init(
    bufferFrames: Int = 176_400, marginFrames: Int = 1_102, playsDSD: Bool = false, clock: any MonotonicClock
  ) {
    self.playsDSD = playsDSD
    self.bufferFrames = bufferFrames
    self.marginFrames = marginFrames
    self.clock = clock
  }

  /// The interleaved samples that were or will be audible.
  public var samples: [Int32] { state.value.samples }
  /// How often frames were taken back.
  public var takeBackCount: Int { state.value.takeBackCount }
  /// How many times frames were written.
  public var writeCount: Int { state.value.writeCount }
  /// The formats in which the device was opened, or was to be opened.
  public var requests: [DeviceFormat] { state.value.requests }
  /// Whether the device is stopped.
  public var isPaused: Bool { state.value.isPaused }
  /// The number of frames that have been audible.
  public var playedFrames: Int {
    let now = clock.now
    return state.change {
      Self.play(&$0, until: now)
      return Int($0.playedFrames)
    }
  }

  /// Makes all calls of the output that is open fail. What it has not played is lost. If `isNoticed`, reports that.
  public func lose(isNoticed: Bool = false) {
    let played = playedFrames
    let notify = state.change {
      $0.samples.removeLast($0.samples.count - played * max(1, $0.format?.channels ?? 1))
      $0.unsent = []
      $0.isLost = true
      return isNoticed ? $0.notify : {}
    }
    notify()
  }

  /// Suspends the device, or lets it continue, and reports that. If `isDropping`, it drops what it has not played.
  public func suspend(_ isSuspended: Bool, isDropping: Bool = false) {
    _ = playedFrames
    let notify = state.change {
      $0.isSuspended = isSuspended
      $0.hasDropped = isDropping
      return $0.notify
    }
    notify()
  }

  /// Delays what has not been played, and reports that.
  public func delay(byFrames count: Int) {
    _ = playedFrames
    let notify = state.change {
      $0.playedFrames -= Double(count)
      return $0.notify
    }
    notify()
  }

  private func check() throws(OutputError) {
    if state.value.isLost { throw OutputError(kind: .lost, description: "was lost") }
  }

  /// Opens the device.
  public func open(_ format: DeviceFormat) throws(OutputError) -> any AudioOutput {
    state.change { $0.requests.append(format) }
    if format.isDSD, !playsDSD { throw OutputError(kind: .unsupportedFormat, description: "does not play DSD") }
    state.change {
      $0.format = format
      ($0.isLost, $0.isPaused) = (false, false)
    }
    return Output(device: self, format: format)
  }

  private static func play(_ state: inout State, until now: MonotonicInstant) {
    let elapsed = now > state.instant ? now.nanoseconds - state.instant.nanoseconds : 0
    state.instant = now
    guard !state.isPaused, !state.isSuspended, let format = state.format else { return }
    state.playedFrames = min(
      Double(state.frameCount), state.playedFrames + Double(elapsed) * Double(format.sampleRate) / 1e9)
  }

  private final class Output: RewindableOutput {
    let format: DeviceFormat
    let name = "rewindable"
    let isRealTime = true
    let staysOpenInPause = true
    let warning: String? = nil
    private let device: RewindableDevice

    init(device: RewindableDevice, format: DeviceFormat) {
      self.device = device
      self.format = format
    }

    var bufferFrames: Int { device.bufferFrames }
    var periodFrames: Int { device.bufferFrames / 2 }

    var unplayedFrames: Int {
      let played = device.playedFrames
      let state = device.state.value
      return state.frameCount + state.unsent.count / format.channels - played
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
      try device.check()
      _ = device.playedFrames
      device.state.change {
        $0.unsent += PCM.samples(Array(bytes), depth: format.depth)
        $0.writeCount += 1
      }
    }

    var isSuspended: Bool { device.state.value.isSuspended }
    var hasDropped: Bool { device.state.value.hasDropped }

    func synchronize(isComplete: Bool) throws(OutputError) -> Duration {
      try device.check()
      send()
      return isSuspended ? .milliseconds(250) : .seconds(10)
    }

    private func send() {
      _ = device.playedFrames
      device.state.change {
        $0.samples += $0.unsent
        $0.unsent = []
      }
    }

    func onChange(_ notify: @escaping @Sendable () -> Void) { device.state.change { $0.notify = notify } }

    func takeBack(atMost limit: Int) throws(OutputError) -> Int {
      try device.check()
      send()
      let played = device.playedFrames
      return device.state.change { state in
        state.takeBackCount += 1
        let margin = state.hasDropped ? 0 : device.marginFrames
        state.hasDropped = false
        let count = max(0, min(limit, state.frameCount - played - margin))
        state.samples.removeLast(count * format.channels)
        return count
      }
    }

    func setPaused(_ isPaused: Bool) throws(OutputError) {
      try device.check()
      send()
      device.state.change { $0.isPaused = isPaused }
    }

    func close() throws(OutputError) { send() }
  }
}
