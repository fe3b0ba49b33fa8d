import AudioCore
import Flux
import MusicLibrary
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport

@testable import DesktopControl

/// A queue and a playback state that no engine drives, and what is asked of them.
final class DesktopRig: Sendable {
  let queueDispatcher = QueueDispatcher()
  var playbackDispatcher: QueueDispatcher { queueDispatcher }
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  /// What was asked of playing, without what was reported.
  let asked = Watched<[PlaybackAction]>([])
  private let subscription: Subscription

  /// Three tracks of a minute each, of which none is current, as they are made by `change`.
  init(at directory: FilePath = "/music/Album", change: (inout Track) -> Void = { _ in }) {
    let store = PlayerStore(dispatcher: queueDispatcher)
    (queue, playback) = (QueueListener(store), PlaybackStore(store))
    actions = PlayerActionCreator(dispatcher: queueDispatcher)
    subscription = queueDispatcher.subscribe { [asked] action in
      guard case .playback(let action) = action else { return }
      if case .report = action { return }
      asked.change { $0.append(action) }
    }
    let tracks = (1...3).map { number in
      var track = Track(path: directory.appending("0\(number).flac"), title: "Title \(number)")
      track.album = "Album"
      track.artists = ["First", "Second"]
      track.albumArtists = ["Band"]
      track.genres = ["Jazz"]
      track.number = Ordinal(number)
      track.disc = Ordinal(1)
      track.duration = .seconds(60)
      change(&track)
      return track
    }
    queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Album", tracks: tracks), item: nil))
  }

  /// What was asked to be loaded.
  let loaded = Watched<[Load]>([])

  /// A file that is to be loaded, and where.
  struct Load: Equatable {
    let path: FilePath
    let place: DesktopServices.Place
  }

  /// Pictures beside the tracks, and nothing that loads.
  var services: DesktopServices {
    DesktopServices(
      cover: { CoverFile(in: $0.removingLastComponent(), limit: 1 << 20)?.path },
      load: { [loaded] path, place in loaded.change { $0.append(Load(path: path, place: place)) } })
  }

  /// The face that it shows.
  var face: PlayerFace { PlayerFace(queue: queue, playback: playback, actions: actions, services: services) }

  /// The player of it on the bus at `address`.
  func player(at address: String) -> DesktopPlayer {
    DesktopPlayer(queue: queue, playback: playback, actions: actions, services: services, address: address)
  }

  /// The item at `position`.
  func id(_ position: Int) -> PlayQueue.Item.ID { queue.queue.items[position].id }

  func report(_ report: PlaybackReport) { playbackDispatcher.dispatch(.report(report)) }

  /// Has the item at `position` be current and heard, from its beginning.
  func start(_ position: Int = 0) {
    let id = id(position)
    queueDispatcher.dispatch(.play(id, from: .zero))
    report(.requested(id))
    report(.confirmed(.playing))
    report(
      .started(id, format: .cd, stream: .cd, gain: .off, duration: .seconds(60)))
  }

  /// Has so much of the current item be heard.
  func hear(_ position: Duration) {
    if let id = queue.queue.current?.id { report(.position(id, position)) }
  }
}
