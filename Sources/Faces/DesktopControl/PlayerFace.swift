// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSDBus
import MusicModel
import Platform
import PlayerFlow
import Playlists
import SystemPackage

/// The player as seen from the bus. It reads stores and dispatches actions, as all faces do.
struct PlayerFace: Sendable {
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  let services: DesktopServices

  /// A snapshot of the current state.
  var snapshot: DesktopState { DesktopState(queue.queue, playback.state) }

  /// Returns the current elapsed time of the item in `snapshot`; zero if there is none.
  func position(_ snapshot: DesktopState) -> Duration {
    snapshot.item.flatMap { playback.elapsed(of: $0.id) } ?? .zero
  }

  /// Executes `command`, or ignores it if MPRIS requires that. Returns the reason if the command is refused, otherwise
  /// `nil`.
  func execute(_ command: PlayerCommand) -> PlayerRefusal? {
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
      // MPRIS requires that a position outside the track, or for a track other than the current one, is ignored.
      let isInTrack = position >= .zero && snapshot.duration.map { position <= $0 } ?? true
      if snapshot.canSeek, path == snapshot.item?.objectPath, isInTrack { actions.seek(.to(position)) }
    case .openURI(let uri): return load(uri)
    case .setLoopStatus(let status):
      guard let status else { return .unknownLoopStatus }
      if status != snapshot.loop { actions.setRepeat(status.mode) }
    case .setShuffle(let isOn):
      if isOn != snapshot.isShuffled { actions.setRandom(isOn ? .tracks : .off) }
    case .setVolume(let volume):
      if volume.isFinite { actions.setVolume(Volume(percent: Int((min(max(volume, 0), 1) * 100).rounded()))) }
    case .setRate(let rate):
      // The only playback rate is 1. MPRIS defines rate 0 as a pause.
      if rate == 0 { actions.pause() }
    }
    return nil
  }

  private func seek(by distance: Duration, _ snapshot: DesktopState) {
    guard snapshot.canSeek else { return }
    let target = position(snapshot) + distance
    if let duration = snapshot.duration, target > duration, snapshot.canGoNext { return actions.next() }
    actions.seek(.by(distance))
  }

  /// Plays the file, directory or stream to which `uri` refers. Returns the reason if that is refused, otherwise `nil`.
  private func load(_ uri: String) -> PlayerRefusal? {
    if let address = StreamAddress(uri) {
      services.load(address.path)
      return nil
    }
    guard let path = FilePath(fileURI: uri) else { return .notAFile }
    // A file whose status cannot be read may still be readable, so only missing files are refused.
    do throws(Errno) { _ = try FileStatus(of: path) } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return .missing }
    }
    services.load(path)
    return nil
  }
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
