// SPDX-License-Identifier: GPL-3.0-or-later

import CSDBus
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import SystemPackage

/// The player as seen from the bus.
struct PlayerFace: Sendable {
  let port: any PlayerPort
  /// Makes the player perform a request. Its errors cannot be reported.
  let send: @Sendable (PlayerRequest) -> Void
  /// Returns the file that contains the cover of a track, if there is one. May block while the disk is read.
  let cover: @Sendable (FilePath) -> FilePath?

  /// The current state.
  var snapshot: DesktopState { DesktopState(port.snapshot) }

  /// The elapsed time of the current item; zero if nothing is playing.
  var position: Duration {
    let snapshot = port.snapshot
    return snapshot.status.phase == .stopped ? .zero : snapshot.position(at: .now)
  }

  /// Executes `command`, or ignores it if MPRIS requires that. Returns the reason if the command is refused, otherwise
  /// `nil`.
  func execute(_ command: PlayerCommand) -> PlayerRefusal? {
    let snapshot = snapshot
    switch command {
    case .raise, .quit: break
    case .next: if snapshot.canGoNext { send(.transport(snapshot.hasChapters ? .chapter(.next) : .next)) }
    case .previous:
      if snapshot.canGoPrevious { send(.transport(snapshot.hasChapters ? .chapter(.previous) : .previous)) }
    case .pause: send(.transport(.pause))
    case .playPause where snapshot.item != nil: send(.transport(.toggle))
    case .stop: send(.transport(.rewind))
    case .play, .playPause: send(.resume(PlaybackOptions()))
    case .seek(let distance): seek(by: distance, snapshot)
    case .setPosition(let position, let path):
      // MPRIS requires that a position outside the track, or for a track other than the current one, is ignored.
      let isInTrack = position >= .zero && snapshot.duration.map { position <= $0 } ?? true
      if snapshot.canSeek, path == snapshot.item?.objectPath, isInTrack { send(.transport(.seekTo(position))) }
    case .openURI(let uri): return load(uri)
    case .setLoopStatus(let status):
      guard let status else { return .unknownLoopStatus }
      if status != snapshot.loop { send(.settings(.mode(.repeat(status.mode)))) }
    case .setShuffle(let isOn):
      if isOn != snapshot.isShuffled { send(.settings(.mode(.random(isOn ? .tracks : .off)))) }
    case .setVolume(let volume):
      if volume.isFinite { send(.settings(.volume(percent: Int((min(max(volume, 0), 1) * 100).rounded())))) }
    case .setRate(let rate):
      // MPRIS defines rate 0 as a pause. The player refuses what is out of range.
      send(rate == 0 ? .transport(.pause) : .settings(.speed(rate)))
    }
    return nil
  }

  private func seek(by distance: Duration, _ snapshot: DesktopState) {
    guard snapshot.canSeek else { return }
    let isBeyond = snapshot.duration.map { position + distance > $0 } ?? false
    send(.transport(isBeyond && snapshot.canGoNext ? .next : .seekBy(distance)))
  }

  /// Plays the file, directory or stream to which `uri` refers. Returns the reason if that is refused, otherwise `nil`.
  private func load(_ uri: String) -> PlayerRefusal? {
    if let address = StreamAddress(uri) {
      play(address.description)
      return nil
    }
    guard let path = FilePath(fileURI: uri) else { return .notAFile }
    // A file whose status cannot be read may still be readable, so only missing files are refused.
    do throws(Errno) { _ = try FileStatus(of: path) } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return .missing }
    }
    play(path.fileURI)
    return nil
  }

  private func play(_ uri: String) { send(.play(MusicRequest(.uri(uri)), PlaybackOptions())) }
}

/// A request from a client on the bus: a method call, or a property to set.
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
  /// Sets the loop status; `nil` if MPRIS does not define the requested status.
  case setLoopStatus(LoopStatus?)
  case setShuffle(Bool)
  case setVolume(Double)
  case setRate(Double)

  /// Creates the command for a call of `name`, or for setting the property `name`. Returns `nil` if there is no method
  /// or property with this name.
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
    case "LoopStatus": self = .setLoopStatus(LoopStatus(rawValue: text))
    case "Shuffle": self = .setShuffle(flag)
    case "Volume": self = .setVolume(number)
    case "Rate": self = .setRate(number)
    default: return nil
    }
  }
}

/// The reason for refusing a command from the bus.
enum PlayerRefusal: Sendable, Equatable {
  /// The URI does not refer to a file.
  case notAFile
  /// The file or directory is missing.
  case missing
  /// The loop status is not defined by MPRIS.
  case unknownLoopStatus

  /// The reason in one line, as a C string that is never freed.
  var text: UnsafePointer<CChar> {
    let message: StaticString =
      switch self {
      case .notAFile: "unsupported URI: use file:///..."
      case .missing: "no such file or directory"
      case .unknownLoopStatus: "invalid loop status: use None, Track or Playlist"
      }
    return unsafe UnsafeRawPointer(message.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
