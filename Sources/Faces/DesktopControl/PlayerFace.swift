import AudioCore
import CSDBus
import MusicModel
import Platform
import PlayerFlow
import Playlists
import SystemPackage

/// What a player shows on the bus, and how it obeys: as every other face, it reads stores and dispatches by an action
/// creator.
struct PlayerFace: Sendable {
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  let services: DesktopServices

  /// What is shown at present.
  var snapshot: PlayerSnapshot { PlayerSnapshot(queue.queue, playback.state) }

  /// How much of the item of `snapshot` has been heard at this moment.
  func position(_ snapshot: PlayerSnapshot) -> Duration {
    snapshot.item.flatMap { playback.heard(of: $0.id) } ?? .zero
  }

  /// Obeys `command`, or does nothing where MPRIS says so; gives why it is refused.
  func obey(_ command: PlayerCommand) -> PlayerRefusal? {
    let snapshot = snapshot
    switch command {
    case .raise, .quit: break
    case .next: if snapshot.canGoNext { actions.next() }
    case .previous: if snapshot.canGoPrevious { actions.previous() }
    case .pause: actions.pause()
    case .playPause: actions.toggle()
    case .stop: actions.stop(rewinds: true)
    case .play: actions.resume()
    case .seek(let distance): seek(by: distance, snapshot)
    case .setPosition(let position, let path):
      // What was meant for another track, or for none of its places, counts for nothing.
      let isWithin = position >= .zero && snapshot.duration.map { position <= $0 } ?? true
      if snapshot.canSeek, path == snapshot.item?.objectPath, isWithin { actions.seek(.to(position)) }
    case .openURI(let uri): return load(uri, .instead)
    case .addTrack(let uri, let path, let plays):
      return load(uri, .position(position(behind: path), plays: plays))
    case .removeTrack(let path):
      if let position = position(of: path) { actions.remove(.items([queue.queue.items.id(at: position)])) }
    case .goTo(let path):
      if let position = position(of: path) { actions.play(queue.queue.items.id(at: position)) }
    case .setLoopStatus(let status):
      guard let status else { return .unknownLoopStatus }
      if status != snapshot.loop { actions.setRepeat(status.mode) }
    case .setShuffle(let isOn):
      if isOn != snapshot.isShuffled { actions.setRandom(isOn ? .tracks : .off) }
    case .setVolume(let volume):
      if volume.isFinite { actions.setVolume(Volume(percent: Int((min(max(volume, 0), 1) * 100).rounded()))) }
    case .setRate(let rate):
      // There is one rate; that of 0 is a pause.
      if rate == 0 { actions.pause() }
    }
    return nil
  }

  private func seek(by distance: Duration, _ snapshot: PlayerSnapshot) {
    guard snapshot.canSeek else { return }
    let target = position(snapshot) + distance
    if let duration = snapshot.duration, target > duration, snapshot.canGoNext { return actions.next() }
    actions.seek(.by(distance))
  }

  /// Has the file that `uri` names enter the queue.
  private func load(_ uri: String, _ place: LoadPlace) -> PlayerRefusal? {
    guard let path = FilePath(fileURI: uri) else { return .notAFile }
    // What cannot be asked may be read all the same.
    do throws(Errno) { _ = try FileStatus(of: path) } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return .missing }
    }
    services.load(path, place)
    return nil
  }

  /// The position of the item that the object at `path` stands for.
  private func position(of path: String) -> Int? {
    PlayQueue.Item.ID(objectPath: path).flatMap { queue.queue.position(of: $0) }
  }

  /// The position behind that item: the first for no track, and the end for one that is not there.
  private func position(behind path: String) -> Int {
    if path == TrackWindow.noTrack { return 0 }
    return position(of: path).map { $0 + 1 } ?? queue.queue.items.count
  }
}

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
