// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

extension PlaybackState {
  /// What playback should do, as last requested by the user. The engine may not have got there yet.
  enum Activity: Sendable, Equatable {
    /// Nothing should play. `isOver` is whether the engine has stopped as well since something was last requested.
    case stopped(StopReason, isOver: Bool)
    /// An item that was requested and has not started yet.
    case requested(RequestedItem, isPaused: Bool)
    /// The item that started last.
    case begun(isPaused: Bool)

    /// The corresponding phase of playback.
    var phase: Phase {
      switch self {
      case .stopped: .stopped
      case .requested(_, let isPaused), .begun(let isPaused): isPaused ? .paused : .playing
      }
    }

    /// The requested item that has not started yet, if there is one.
    var request: RequestedItem? {
      get { if case .requested(let request, _) = self { request } else { nil } }
      set { if let newValue { self = .requested(newValue, isPaused: phase == .paused) } }
    }

    /// Pauses or resumes. Does nothing when stopped.
    mutating func setPaused(_ isPaused: Bool) {
      switch self {
      case .stopped: break
      case .requested(let request, _): self = .requested(request, isPaused: isPaused)
      case .begun: self = .begun(isPaused: isPaused)
      }
    }

    /// Turns the requested item into the one that has started.
    mutating func begin() {
      if case .requested(_, let isPaused) = self { self = .begun(isPaused: isPaused) }
    }
  }

  /// Why nothing should play.
  enum StopReason: Sendable, Equatable {
    /// Nothing has been requested yet, the queue was played to its end, or the user stopped playback.
    case ordinary
    /// A client stopped playback, or an edit left nothing to play.
    case interrupted
    /// None of the requested items could be played; this is the error of the last one.
    case unplayable(DecodingError)
  }

  /// An item that was requested and has not started yet.
  struct RequestedItem: Sendable, Equatable {
    /// The position at which the item should start.
    var place: Duration
    /// The length of the item, if known.
    let duration: Duration?
    /// Whether the previous item was played to its end and this one waits for playback to be resumed.
    var isWaiting = false
  }

  /// The item that is playing, or that played last. It stays known when playback stops or another item is requested.
  struct HeardItem: Sendable, Equatable {
    /// The id of the item.
    let id: PlayQueue.Item.ID
    /// The elapsed time of the item.
    var position: Duration
    /// The length of the item as its file states it, if it does.
    var duration: Duration?
    /// The average bit rate of the item in its file, in bits per second, if known.
    var bitRate: Int?
  }

  /// Whether ``HeardItem/position`` advances by itself.
  enum Progress: Sendable, Equatable {
    /// The position advances: the item is audible.
    case moving
    /// The position stands still until the engine reports one again.
    case halted
    /// The position is one that is not audible yet, for example the target of a seek. It holds until the engine reports
    /// that the item has started there.
    case ahead
  }

  /// How the item that started last reaches the output.
  struct SignalPath: Sendable, Equatable {
    /// The format of the item.
    let format: AudioFormat
    /// The format of the stream that carries the item.
    let stream: AudioFormat
    /// The gain that ReplayGain applies to the item.
    var gain: ReplayGainDecision
    /// The time from the beginning of the item during which the previous one may still fade out, at most.
    let mixedBeginning: Duration
  }

  /// The state of the output device, or of the file that is written instead.
  enum Device: Sendable, Equatable {
    /// No output is open.
    case closed
    /// This output is open.
    case open(Output)
    /// The device was lost for this reason and is not back yet.
    case lost(OutputError)
  }
}
