// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import Platform
import PlayerFlow
import Synchronization
import SystemPackage

/// Publishes what is audible thirty times a second, on a thread of its own for each observer. While nothing plays,
/// nothing wakes that thread.
final class SoundPublisher: Sendable {
  /// The time between two frames, in milliseconds.
  static let period: UInt64 = 33

  /// The frames of one observer.
  private struct Feed: Sendable {
    /// Analyses the sound; `nil` if no spectrum was requested.
    var analyser: SpectrumAnalyser?
    /// The instant of the last frame.
    var last: MonotonicInstant?

    mutating func frame(of sound: AudibleSound?, at now: MonotonicInstant) -> SoundFrame {
      let passed = last.map { now < $0 ? 0 : now.nanoseconds - $0.nanoseconds } ?? 0
      last = now
      return SoundFrame(
        levels: sound?.levels, spectrum: analyser?.spectrum(of: sound, after: Double(passed) / 1e9))
    }
  }

  private let playback: PlaybackStore
  private let makeTransform: SpectrumTransformFactory
  private let clock: any MonotonicClock

  /// Creates the publisher of what `playback` plays.
  init(
    _ playback: PlaybackStore, makeTransform: @escaping SpectrumTransformFactory,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.playback = playback
    self.makeTransform = makeTransform
    self.clock = clock
  }

  /// Calls `receive` with a frame at once and, while something plays, about thirty times a second, until the
  /// subscription is cancelled. After playback has paused, the frames continue until they show silence.
  func observe(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    let (playback, clock) = (playback, clock)
    let feed = Mutex(
      Feed(analyser: bands > 0 ? SpectrumAnalyser(bandCount: bands, makeTransform: makeTransform) : nil))
    // The pending value is whether something plays.
    let worker = Worker(named: "segue-frames", playback.state.phase == .playing, clock: clock)
    do throws(Errno) {
      try worker.start {
        let (now, isPlaying) = (clock.now, worker.withPending(\.self))
        let frame = feed.withLock { $0.frame(of: playback.audibleSound, at: now) }
        receive(frame)
        return isPlaying || !frame.isSilent ? now.advanced(byMilliseconds: Self.period) : nil
      }
    } catch {
      // Without a thread, there is nothing to show.
      return Subscription {}
    }
    let listening = playback.listen()
    let phases = playback.observe { state in
      let isPlaying = state.phase == .playing
      let hasStarted = worker.withPending { wasPlaying in
        defer { wasPlaying = isPlaying }
        return isPlaying && !wasPlaying
      }
      if hasStarted { worker.wake() }
    }
    return Subscription {
      worker.close()
      phases.cancel()
      listening.cancel()
    }
  }
}
