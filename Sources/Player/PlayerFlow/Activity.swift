import AudioCore
import MusicModel

extension PlaybackState {
  /// What is to be heard, as was asked for last: the engine may still be about it.
  enum Activity: Sendable, Equatable {
    /// Nothing; `isOver` where the engine has ended, too, since something was last asked to play.
    case stopped(StopReason, isOver: Bool)
    /// An item that was requested and has not begun.
    case requested(RequestedItem, isPaused: Bool)
    /// The item that began last.
    case begun(isPaused: Bool)

    /// Whether that is something, and plays.
    var phase: Phase {
      switch self {
      case .stopped: .stopped
      case .requested(_, let isPaused), .begun(let isPaused): isPaused ? .paused : .playing
      }
    }

    /// The item that was requested and has not begun, where there is one.
    var request: RequestedItem? {
      get { if case .requested(let request, _) = self { request } else { nil } }
      set { if let newValue { self = .requested(newValue, isPaused: phase == .paused) } }
    }

    /// Pauses or resumes; makes no difference where nothing is to be heard.
    mutating func setPaused(_ isPaused: Bool) {
      switch self {
      case .stopped: break
      case .requested(let request, _): self = .requested(request, isPaused: isPaused)
      case .begun: self = .begun(isPaused: isPaused)
      }
    }

    /// What was requested begins.
    mutating func begin() {
      if case .requested(_, let isPaused) = self { self = .begun(isPaused: isPaused) }
    }
  }

  /// Why nothing is to be heard.
  enum StopReason: Sendable, Equatable {
    /// Nothing was asked for yet, the queue was played to its end, or the user stopped it.
    case ordinary
    /// A client stopped it, or an edit left nothing to play.
    case interrupted
    /// Nothing could be played of what was asked for: this is wrong with the last of it.
    case unplayable(DecodingError)
  }

  /// An item that was requested and has not begun.
  struct RequestedItem: Sendable, Equatable {
    /// Where it is to begin.
    var place: Duration
    /// How long it lasts, as far as that is known.
    let duration: Duration?
    /// Whether it waits behind an item that was heard to its end, until somebody resumes.
    var isWaiting = false
  }

  /// The item that is heard, or was heard last: it stays known when playing ends, or another one is requested.
  struct HeardItem: Sendable, Equatable {
    /// Which item.
    let id: PlayQueue.Item.ID
    /// How much of it has been heard.
    var position: Duration
    /// How long it lasts, as far as its file says.
    var duration: Duration?
    /// How many bits a second it takes in its file, on the average, where that is known.
    var bitRate: Int?
  }

  /// Whether ``HeardItem/position`` moves on by itself.
  enum Progress: Sendable, Equatable {
    /// It moves on: the item is heard.
    case moving
    /// It does not, until the engine reports a position again.
    case halted
    /// It is that of a place which is not heard yet, until the engine reports that it is.
    case ahead
  }

  /// How what began last comes to the output.
  struct SignalPath: Sendable, Equatable {
    /// The format of the item.
    let format: AudioFormat
    /// The format of the stream in which the item is heard.
    let stream: AudioFormat
    /// By how much ReplayGain makes the item louder or softer.
    var gain: ReplayGainDecision
    /// Over how much of its beginning the item before fades out, at most.
    let mixedBeginning: Duration
  }

  /// What is known of the device, or of the file that takes the sound instead.
  enum Device: Sendable, Equatable {
    /// The sound goes nowhere.
    case closed
    /// It goes there.
    case open(Output)
    /// The device went for this reason, and is not back.
    case lost(OutputError)
  }
}
