import DesktopControl
import MusicModel
import Platform
import PlayerFlow
import Playlists
import Synchronization
import SystemPackage

/// Loads the files that the desktop opens, one after the other on a thread of its own, as `play` and `queue insert`
/// load those that they are given.
final class DesktopLoader: Sendable {
  private struct Request: Sendable {
    let path: FilePath
    let place: DesktopServices.Place
  }

  private struct Work {
    var requests: [Request] = []
    var isBusy = false
  }

  /// How many may wait; more are dropped.
  private static let limit = 1_000

  private let player: ForwardedRun
  private let work = Mutex(Work())

  /// One for the player of which `player` makes sessions.
  init(_ player: ForwardedRun) { self.player = player }

  /// Loads what is at `path`, soon. Any thread; where the system grants no thread for it, nothing is loaded.
  func load(_ path: FilePath, _ place: DesktopServices.Place) {
    let isIdle = work.withLock { work in
      if work.requests.count < Self.limit { work.requests.append(Request(path: path, place: place)) }
      defer { work.isBusy = true }
      return !work.isBusy
    }
    guard isIdle else { return }
    do throws(Errno) {
      _ = try WorkerThread(name: "segue-loader") { self.loadAll() }
    } catch {
      work.withLock { $0 = Work() }
    }
  }

  private func loadAll() {
    while let request = next() {
      // The call was answered before: an error has no receiver.
      try? load(request)
    }
  }

  private func next() -> Request? {
    work.withLock { work in
      work.isBusy = !work.requests.isEmpty
      return work.isBusy ? work.requests.removeFirst() : nil
    }
  }

  private func load(_ request: Request) throws(CommandError) {
    let session = player.session()
    let library = LibraryRequest(roots: session.library, dataDirectory: session.dataDirectory, in: session)
    let found = try session.silentFinder(library).find(album: request.path.fileURI, track: nil)
    try found.collection.check(isNotWrittenTo: session.outputFile)
    let (actions, queue) = (session.services.actions, session.services.queue)
    switch request.place {
    case .instead: actions.enqueue(found.collection, item: found.item)
    case .position(let position, let plays):
      let added = found.isTrack ? found.track.collection : found.collection
      let before = queue.queue
      actions.add(added, at: position < before.items.count ? .position(position) : .end)
      actions.awaitDelivery()
      if plays, let item = queue.queue.firstItem(of: added.tracks, since: before) { actions.play(item.id) }
    }
  }
}
