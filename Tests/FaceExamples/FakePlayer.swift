// SPDX-License-Identifier: GPL-3.0-or-later

package import Flux
package import MusicModel
import PlayerFlow
package import PlayerPort
import Synchronization

/// A player without sound or files, for tests of faces. It plays and edits a queue of tracks, and records the requests.
package final class FakePlayer: PlayerPort {
  fileprivate struct State: Sendable {
    var queue: PlayQueue
    var isPlaying = false
    var isEnded = false
    var requests: [PlayerRequest] = []
    var observers: [Int: Observer] = [:]
    var lastObserver = 0
    /// The songs of the library, sorted by title.
    var songs: [Track]
  }

  fileprivate struct Observer: Sendable {
    let onChange: @Sendable () -> Void
  }

  private let state: Mutex<State>
  /// Called with each request, before it is performed, on the thread that sends it.
  private let onRequest: @Sendable (PlayerRequest) -> Void

  /// Creates a player with these tracks in its queue, the first one current, and these songs in its library.
  package init(
    _ tracks: [Track] = [], songs: [Track] = [], onRequest: @escaping @Sendable (PlayerRequest) -> Void = { _ in }
  ) {
    var queue = PlayQueue()
    if !tracks.isEmpty { queue.reduce(.enqueue(TrackCollection(title: "Fake", tracks: tracks), item: 0)) }
    state = Mutex(State(queue: queue, songs: songs))
    self.onRequest = onRequest
  }

  /// The requests so far.
  package var requests: [PlayerRequest] { state.withLock(\.requests) }

  package var snapshot: PlayerSnapshot {
    state.withLock { state in
      var status = PlayerStatus(PlaybackState(), queue: state.queue)
      if state.isPlaying { status.phase = .playing }
      var snapshot = PlayerSnapshot(
        status: status, nowPlaying: NowPlayingRow(NowPlaying(state.queue, playing: nil)))
      snapshot.queueVersion = state.queue.version
      snapshot.isEnded = state.isEnded
      return snapshot
    }
  }

  package func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = Observer(onChange: onChange)
      return state.lastObserver
    }
    onChange()
    return Subscription { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
  }

  package func queue(_ range: Range<Int>) throws(PlayerError) -> QueueRows {
    let queue = state.withLock(\.queue)
    return QueueRows(range.clamped(to: 0..<queue.items.count), of: queue)
  }

  package func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer {
    let (queue, songs) = state.withLock { ($0.queue, $0.songs) }
    func rows(_ content: ListContent) throws(PlayerError) -> [ListRow] {
      switch content {
      case .queue: queue.items.map { ListRow(.item($0.id.rawValue), title: $0.track.title) }
      case .songs:
        songs.enumerated().map { ListRow(.track(id: Int64($0), PathText($1.path)), title: $1.title) }
      default: throw PlayerError(.unreadableLibrary, "not supported by the fake player")
      }
    }
    switch request.question {
    case .page(let content, let offset, let limit):
      let all = try rows(content)
      return .page(ListPage(offset: offset, rows: Array(all.dropFirst(offset).prefix(limit)), count: all.count))
    case .letter(let letter, let content):
      return .position(try rows(content).firstIndex { $0.title >= letter })
    case .text(let text, let content, let row, _):
      let all = try rows(content)
      let matches = all.indices.filter { all[$0].title.contains(text) }
      return .position(matches.first { $0 > row } ?? matches.first)
    case .rating: return .rating(nil)
    case .albumPath: return .path(nil)
    }
  }

  package func send(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    onRequest(request)
    let result = state.withLock { state in
      state.requests.append(request)
      return Result { () throws(PlayerError) in try state.perform(request) }
    }
    for observer in state.withLock({ Array($0.observers.values) }) { observer.onChange() }
    return try result.get()
  }
}

extension FakePlayer.State {
  fileprivate mutating func perform(_ request: PlayerRequest) throws(PlayerError) -> PlayerReply {
    if isEnded { throw .playerEnded }
    switch request {
    case .transport(let request):
      if queue.items.isEmpty, request != .stop { throw .emptyQueue }
      switch request {
      case .toggle: isPlaying.toggle()
      case .pause, .stop: isPlaying = false
      default: break
      }
      return PlayerReply()
    case .settings: return PlayerReply(.settings(PlayerSettings(PlaybackState(), queue)))
    case .edit(let edit): return PlayerReply(.edited(try perform(edit)))
    case .history: return PlayerReply(.history(undoable: queue.undoable, redoable: queue.redoable))
    case .status: return PlayerReply(.status(PlayerStatus(PlaybackState(), queue: queue)))
    case .checkQueue: return PlayerReply()
    case .quit:
      isEnded = true
      return PlayerReply()
    case .seeing(_, let request): return try perform(request)
    case .resume, .play, .playItem, .add, .playlist, .rate, .scan:
      throw PlayerError(.failure, "not supported by the fake player")
    }
  }

  private mutating func perform(_ edit: QueueEdit) throws(PlayerError) -> EditedQueue {
    let before = queue
    var positions: [Range<Int>] = []
    var names: [String] = []
    switch edit {
    case .remove(let items):
      positions = try items.positions(in: queue)
      queue.reduce(.remove(.positions(positions)))
    case .clear: queue.reduce(.clear)
    case .undo(let steps):
      names = queue.undoable.suffix(steps).reversed()
      if names.isEmpty { throw PlayerError(.notFound, "nothing to undo") }
      queue.reduce(.undo(steps: steps))
    default: throw PlayerError(.failure, "not supported by the fake player")
    }
    var edited = EditedQueue(before, queue)
    (edited.positions, edited.names) = (positions, names)
    if let only = positions.first, positions.count == 1, only.count == 1 {
      edited.title = before.items[only.lowerBound].track.title
    }
    return edited
  }
}
