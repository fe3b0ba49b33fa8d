import CSDBus
import MusicModel

/// What somebody on the bus asks of the player: a method that is called, or a property that is set.
enum PlayerCommand: Sendable, Equatable {
  case raise
  case quit
  case next
  case previous
  case pause
  case playPause
  case stop
  case play
  case seek(by: Duration)
  case setPosition(Duration, objectPath: String)
  case openURI(String)
  case addTrack(String, afterObjectPath: String, plays: Bool)
  case removeTrack(objectPath: String)
  case goTo(objectPath: String)
  /// `nil` where MPRIS knows no such status.
  case setLoopStatus(LoopStatus?)
  case setShuffle(Bool)
  case setVolume(Double)
  case setRate(Double)

  /// The member `name` with what it was given; `nil` where there is no such member.
  init?(_ name: String, _ argument: CSDBusArgument) {
    let text = unsafe argument.text.map { unsafe String(cString: $0) } ?? ""
    let time = unsafe Duration.microseconds(argument.integer)
    let (flag, number) = unsafe (argument.flag, argument.number)
    switch name {
    case "Raise": self = .raise
    case "Quit": self = .quit
    case "Next": self = .next
    case "Previous": self = .previous
    case "Pause": self = .pause
    case "PlayPause": self = .playPause
    case "Stop": self = .stop
    case "Play": self = .play
    case "Seek": self = .seek(by: time)
    case "SetPosition": self = .setPosition(time, objectPath: text)
    case "OpenUri": self = .openURI(text)
    case "AddTrack":
      let path = unsafe argument.path.map { unsafe String(cString: $0) } ?? ""
      self = .addTrack(text, afterObjectPath: path, plays: flag)
    case "RemoveTrack": self = .removeTrack(objectPath: text)
    case "GoTo": self = .goTo(objectPath: text)
    case "LoopStatus": self = .setLoopStatus(LoopStatus(rawValue: text))
    case "Shuffle": self = .setShuffle(flag)
    case "Volume": self = .setVolume(number)
    case "Rate": self = .setRate(number)
    default: return nil
    }
  }
}

/// Why a command is not obeyed.
enum PlayerRefusal: Sendable, Equatable {
  /// It is no address of a file.
  case notAFile
  /// The file or directory is missing.
  case missing
  /// There is no such value.
  case unknownLoopStatus

  /// One line for people, which lasts as long as the program.
  var text: UnsafePointer<CChar> {
    let words: StaticString =
      switch self {
      case .notAFile: "Segue opens files alone: file:///..."
      case .missing: "there is no such file or directory"
      case .unknownLoopStatus: "a loop status is None, Track or Playlist"
      }
    return unsafe UnsafeRawPointer(words.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
