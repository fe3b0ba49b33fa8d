// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

extension PlaybackState {
  /// What playback should do, as last requested by the user; the engine may not have followed yet.
  enum Activity: Sendable, Equatable {
    /// Nothing should play. `isOver` is `true` if the engine has stopped, too, and nothing has been requested since.
    case stopped(StopReason, isOver: Bool)
    /// An item was requested and has not started yet.
    case requested(RequestedItem, isPaused: Bool)
    /// The item that started last should play, or be paused.
    case started(isPaused: Bool)

    var phase: Phase {
      switch self {
      case .stopped: .stopped
      case .requested(_, let isPaused), .started(let isPaused): isPaused ? .paused : .playing
      }
    }

    /// The requested item that has not started yet; `nil` if there is none.
    var request: RequestedItem? {
      get { if case .requested(let request, _) = self { request } else { nil } }
      set { if let newValue { self = .requested(newValue, isPaused: phase == .paused) } }
    }

    /// Pauses or resumes. Has no effect when stopped.
    mutating func setPaused(_ isPaused: Bool) {
      switch self {
      case .stopped: break
      case .requested(let request, _): self = .requested(request, isPaused: isPaused)
      case .started: self = .started(isPaused: isPaused)
      }
    }

    /// Turns the requested item into the one that has started.
    mutating func start() {
      if case .requested(_, let isPaused) = self { self = .started(isPaused: isPaused) }
    }
  }

  /// The reason why nothing should play.
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
    var position: Duration
    /// The length of the item; `nil` if it is not known.
    let duration: Duration?
    /// Whether the previous item was played to its end, and this one waits for playback to be resumed.
    var isWaiting = false
  }

  /// The item that is playing, or that played last. It stays known when playback stops or another item is requested.
  struct PlayedItem: Sendable, Equatable {
    let id: PlayQueue.Item.ID
    /// The elapsed time of the item.
    var position: Duration
    /// The length of the item; `nil` if neither its file nor its tags state it.
    var duration: Duration?
    /// How the item is encoded, and what decodes it.
    var encoding = SourceEncoding()
  }

  /// Whether ``PlayedItem/position`` advances by itself.
  enum Progress: Sendable, Equatable {
    /// The position advances: the item is audible.
    case advancing
    /// The position does not advance until the engine reports one again.
    case halted
    /// The position is not audible yet, for example because it is the target of a seek. It stays the same until the
    /// engine reports that the item has started there.
    case pending
  }

  /// The formats and the gain with which the item that started last reaches the output.
  struct SignalPath: Sendable, Equatable {
    let format: AudioFormat
    /// The format of the stream in which the item is played.
    let stream: AudioFormat
    /// The gain that ReplayGain applies to the item.
    var gain: ReplayGainDecision
    /// The length of the item's beginning during which the previous item may still be fading out.
    let mixedBeginning: Duration
  }

  /// The state of the output device, or of the file that is written instead.
  enum Device: Sendable, Equatable {
    /// No output is open.
    case closed
    case open(Output)
    /// The device was lost, with this error, and is not back yet.
    case lost(OutputError)
  }
}
