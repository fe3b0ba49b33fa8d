import AudioCore
import MusicLibrary
import MusicModel
import Platform
import QueueFlow
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
  private func load(_ uri: String, _ place: DesktopServices.Place) -> PlayerRefusal? {
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
