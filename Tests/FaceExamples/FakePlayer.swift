// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import Flux
package import LibraryScanning
package import MusicModel
package import PlayerFlow
package import PlayerPort
import Synchronization
package import SystemPackage
import Tagging
import TestSupport

/// A player without sound or files, for tests of faces. It plays and edits a queue of tracks, and records the requests.
package final class FakePlayer: PlayerPort {
  private let player: LocalPlayer
  /// The songs of the library, sorted by title.
  private let songs: [Track]
  private let state = Mutex<(requests: [PlayerRequest], isEnded: Bool)>(([], false))
  private let observers = Observers()
  /// The directory of the profiles of the equaliser; `nil` if the player has its own.
  private let directory: TemporaryDirectory?
  /// Called with each request, before it is performed, on the thread that sends it.
  private let onRequest: @Sendable (PlayerRequest) -> Void

  /// Creates a player with these tracks in its queue, the first one current, and these songs in its library.
  package convenience init(
    _ tracks: [Track] = [], songs: [Track] = [], onRequest: @escaping @Sendable (PlayerRequest) -> Void = { _ in }
  ) {
    var queue = PlayQueue()
    if !tracks.isEmpty { queue.reduce(.enqueue(TrackCollection(title: "Fake", tracks: tracks), item: 0)) }
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(PlayerState(queue), dispatcher: dispatcher)
    let playback = PlaybackStore(store)
    let samples = (0..<64).map { Float($0.isMultiple(of: 8) ? 0.5 : 0) }
    playback.readSound(record: { _ in }) {
      AudibleSound(left: samples, right: samples, sampleRate: 44_100, position: 32)
    }
    var parts = LocalPlayer.Parts.withoutEngine(
      QueueListener(store), playback, PlayerActionCreator(dispatcher: dispatcher))
    let directory = try? TemporaryDirectory()
    if let directory { parts.equalisers = directory.path }
    self.init(LocalPlayer(parts), songs: songs, directory: directory, onRequest: onRequest)
  }

  /// Creates a player that passes its requests on to `player`.
  package convenience init(
    _ player: LocalPlayer, songs: [Track] = [], onRequest: @escaping @Sendable (PlayerRequest) -> Void = { _ in }
  ) {
    self.init(player, songs: songs, directory: nil, onRequest: onRequest)
  }

  private init(
    _ player: LocalPlayer, songs: [Track], directory: TemporaryDirectory?,
    onRequest: @escaping @Sendable (PlayerRequest) -> Void
  ) {
    self.player = player
    self.directory = directory
    self.songs = songs
    self.onRequest = onRequest
  }

  /// The requests so far.
  package var requests: [PlayerRequest] { state.withLock(\.requests) }

  package var snapshot: PlayerSnapshot {
    var snapshot = player.snapshot
    snapshot.isEnded = state.withLock(\.isEnded)
    return snapshot
  }

  package func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let subscriptions = [player.observe(everyPosition: everyPosition, onChange), observers.add(onChange)]
    return Subscription { for subscription in subscriptions { subscription.cancel() } }
  }

  package func observeSound(bands: Int, _ receive: @escaping @Sendable (SoundFrame) -> Void) -> Subscription {
    player.observeSound(bands: bands, receive)
  }

  package func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows { try player.queue(range) }

  package func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer {
    switch request.question {
    case .page(let view, let offset, let limit) where view.content.isSongs:
      let rows = rows(of: view)
      return .page(ListPage(offset: offset, rows: Array(rows.dropFirst(offset).prefix(limit)), count: rows.count))
    case .letter(let letter, let view) where view.content.isSongs:
      return .position(rows(of: view).firstIndex { $0.title >= letter })
    case .text(let text, let view, let row, _) where view.content.isSongs:
      let rows = rows(of: view)
      let matches = rows.indices.filter { rows[$0].title.contains(text) }
      return .position(matches.first { $0 > row } ?? matches.first)
    default: return try player.answer(request)
    }
  }

  /// Returns the songs of the library that a list shows.
  private func rows(of view: ListView) -> [ListRow] {
    view.arranged(songs.enumerated().map { ListRow(.track(id: Int64($0), PathText($1.path)), title: $1.title) })
  }

  package func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    onRequest(request)
    let isEnded = state.withLock { state in
      state.requests.append(request)
      defer { state.isEnded = state.isEnded || request == .quit }
      return state.isEnded
    }
    if isEnded { throw .playerEnded }
    if request == .quit { observers.notify() }
    return try player.send(request)
  }
}

extension ListContent {
  fileprivate var isSongs: Bool { if case .songs = self { true } else { false } }
}

extension LocalPlayer.Parts {
  /// The parts of a running player without an engine, in `directory`. `open` opens the index of a library; by default,
  /// there is none.
  package static func withoutEngine(
    _ queue: QueueListener, _ playback: PlaybackStore, _ actions: PlayerActionCreator,
    in directory: FilePath = "/nonexistent", library: LibraryRequest? = nil,
    open: @escaping @Sendable (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary = {
      _ throws(PlayerError) in throw PlayerError(.unreadableLibrary, "no library")
    }
  ) -> Self {
    let access = LibraryAccess(
      scanner: LibraryScanner(), open: open, openPresent: { _ in nil },
      language: QueryLanguage(parse: { _ in .everything }, makeQuery: \.query))
    var parts = LocalPlayer.Parts(
      queue: queue, playback: playback, actions: actions, access: access,
      library: library
        ?? LibraryRequest(
          roots: LibraryRoots(directory.appending("music")), dataDirectory: directory.appending("data")),
      stateDirectory: directory.appending("state"))
    parts.options = []
    parts.queues = QueuesInMemory()
    parts.makeTransform = { NaiveTransform(size: $0) }
    return parts
  }
}
