// SPDX-License-Identifier: GPL-3.0-or-later

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

  /// Executes the method `name`, or sets the property `name`, or ignores that if MPRIS requires it. The name determines
  /// which of the other arguments are used; for `SetPosition`, `text` is the object path. Returns the reason in one
  /// line if the request is refused, otherwise `nil`.
  func execute(
    _ name: String, text: String = "", time: Duration = .zero, flag: Bool = false, number: Double = 0
  ) -> StaticString? {
    let snapshot = snapshot
    switch name {
    case "Next": if snapshot.canGoNext { send(.transport(snapshot.hasChapters ? .chapter(.next) : .next)) }
    case "Previous":
      if snapshot.canGoPrevious { send(.transport(snapshot.hasChapters ? .chapter(.previous) : .previous)) }
    case "Pause": send(.transport(.pause))
    case "PlayPause" where snapshot.item != nil: send(.transport(.toggle))
    case "Stop": send(.transport(.rewind))
    case "Play", "PlayPause": send(.resume(PlaybackOptions()))
    case "Seek": seek(by: time, snapshot)
    case "SetPosition":
      // MPRIS requires that a position outside the track, or for a track other than the current one, is ignored.
      let isInTrack = time >= .zero && snapshot.duration.map { time <= $0 } ?? true
      if snapshot.canSeek, text == snapshot.item?.objectPath, isInTrack { send(.transport(.seekTo(time))) }
    case "OpenUri": return load(text)
    case "LoopStatus":
      guard let status = LoopStatus(rawValue: text) else {
        return "invalid loop status: use None, Track or Playlist"
      }
      if status != snapshot.loop { send(.settings(.mode(.repeat(status.mode)))) }
    case "Shuffle": if flag != snapshot.isShuffled { send(.settings(.mode(.random(flag ? .tracks : .off)))) }
    case "Volume":
      if number.isFinite { send(.settings(.volume(percent: Int((min(max(number, 0), 1) * 100).rounded())))) }
    // MPRIS defines rate 0 as a pause. The player refuses what is out of range.
    case "Rate": send(number == 0 ? .transport(.pause) : .settings(.speed(number)))
    default: break
    }
    return nil
  }

  private func seek(by distance: Duration, _ snapshot: DesktopState) {
    guard snapshot.canSeek else { return }
    let isBeyond = snapshot.duration.map { position + distance > $0 } ?? false
    send(.transport(isBeyond && snapshot.canGoNext ? .next : .seekBy(distance)))
  }

  /// Plays the file, directory or stream to which `uri` refers. Returns the reason if that is refused, otherwise `nil`.
  private func load(_ uri: String) -> StaticString? {
    if let address = StreamAddress(uri) {
      play(address.description)
      return nil
    }
    guard let path = FilePath(fileURI: uri) else { return "unsupported URI: use file:///..." }
    // A file whose status cannot be read may still be readable, so only missing files are refused.
    do throws(Errno) { _ = try FileStatus(of: path) } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return "no such file or directory" }
    }
    play(path.fileURI)
    return nil
  }

  private func play(_ uri: String) { send(.play(MusicRequest(.uri(uri)), PlaybackOptions())) }
}
