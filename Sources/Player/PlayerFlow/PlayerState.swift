// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
public import MusicModel
import PlaybackEngine

/// A source of the engine, and the audible position in it at one moment.
struct SourcePosition: Sendable, Equatable {
  let source: PlaybackSource.ID
  let position: Duration
}

/// The state of the player: the queue, playback, and the plan for the engine. It is a pure value; the
/// ``PlayerReducer`` makes every decision.
public struct PlayerState: Sendable {
  public internal(set) var queue: PlayQueue
  public internal(set) var playback = PlaybackState()
  /// The sources that were given to the engine, and those that are still to be given to it.
  var plan = EnginePlan()
  /// Whether playback is paused by an interruption, and resumes after it.
  var isPausedByInterruption = false
  /// Whether playback pauses when the device is lost.
  var pausesOnLoss = false
  /// Which tracks resume where they were left; `nil` for none.
  var resumeRule: ResumeRule?
  /// How the silence at the beginning and the end of tracks is skipped; `nil` if it is not.
  var silenceSkipping: SilenceSkipping?

  public init(_ queue: PlayQueue = PlayQueue()) { self.queue = queue }

  /// Applies `action`. `audible` is the position that was audible when it got its place in the order; `nil` if nothing
  /// was.
  mutating func reduce(_ action: PlayerAction, audible: SourcePosition?) -> PlayerReduction {
    // Positions are frequent, and comparing the whole state would dominate their cost.
    if case .engine(.position(let source, let position), let executed) = action {
      guard plan.chain.isUpToDate(executed), let item = plan.chain[source]?.item else { return PlayerReduction() }
      return PlayerReduction(changes: playback.reduce(.report(.position(item, position))) ? .playback : [])
    }
    var reducer = PlayerReducer(state: self, audible: audible)
    reducer.reduce(action)
    let before = self
    self = reducer.state
    var reduction = PlayerReduction(effects: reducer.effects)
    if before.queue.version != queue.version || before.queue.elapsed != queue.elapsed {
      reduction.changes.insert(.queue)
    }
    if before.playback != playback { reduction.changes.insert(.playback) }
    return reduction
  }

  /// Returns the elapsed time of `item`; `nil` if it is not playing or has not started. `audible` is the engine's
  /// position at this moment.
  func elapsed(of item: PlayQueue.Item.ID, _ audible: SourcePosition?) -> Duration? {
    guard playback.enginePhase != .stopped, playback.item == item, !playback.hasRequest else { return nil }
    guard playback.isAdvancing, let audible, plan.chain[audible.source]?.item == item else { return playback.position }
    return playback.limited(audible.position)
  }
}

/// What an action led to.
struct PlayerReduction: Sendable {
  /// The parts of the state that observers can see.
  struct Changes: OptionSet {
    let rawValue: UInt8

    /// The queue, or the elapsed time in its current item.
    static let queue = Changes(rawValue: 1)
    static let playback = Changes(rawValue: 2)
  }

  var changes: Changes = []
  /// The effects, in the order in which they are to be performed.
  var effects: [PlayerEffect] = []
}

/// A command for the engine or its helpers, decided by the reducer and performed by the ``EnQueueController``.
enum PlayerEffect: Sendable, Equatable {
  /// Play this source from a position, or pause there. What is playing fades out over `crossfade`.
  case play(PlaybackSource, at: Duration, isPaused: Bool, crossfade: Duration = .zero)
  /// Set the source to play after another; `nil` if there is none.
  case setNext(PlaybackSource?, after: PlaybackSource.ID, Transition)
  /// Fade out and pause.
  case pause
  case resume
  /// Fade out and close the output.
  case stop
  /// Pause, and close the device immediately.
  case release
  /// Close the output, and open one again, where playback continues.
  case reopenOutput
  case seek(SeekTarget)
  case setGain(SourceGain, of: PlaybackSource.ID)
  case setSpeed(PlaybackSpeed, of: PlaybackSource.ID)
  /// Play these frames of this source.
  case setFrames(SourceFrames, of: PlaybackSource.ID)
  /// Repeat a passage of this source; `nil` ends that.
  case setPassage(SourcePassage?, of: PlaybackSource.ID)
  /// Change the volume to this gain, from 0 to 1, over this time.
  case setVolume(Float, over: Duration)
  /// Apply a profile of the equaliser, and a crossfeed to stereo; `nil` for none.
  case setEqualiser(EqualiserProfile?, Crossfeed?)
  /// Prepare for crossfades of up to this length.
  case setMaximumCrossfade(Duration)
  /// Look up what was measured of these items, in place of any lookup that is still waiting.
  case lookUpMeasurements([PlayQueue.Item])
  /// Look up where this item was left.
  case lookUpPosition(PlayQueue.Item)
  /// Check whether the files of some of the queue's items exist.
  case checkFiles(AvailabilityWatch.Checks)
}
