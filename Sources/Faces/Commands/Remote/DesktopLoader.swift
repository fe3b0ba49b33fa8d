// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import Screens
import Synchronization
import SystemPackage

/// Loads the files that the desktop opens into the queue, in the same way as `play` and `queue insert` load their
/// arguments. Files are loaded one after the other, on a separate thread.
final class DesktopLoader: Sendable {
  private struct Request: Sendable {
    let path: FilePath
    let destination: LoadDestination
  }

  /// The maximum number of waiting requests. Further requests are dropped.
  private static let limit = 1_000

  private let player: ForwardedRun
  private let worker = Worker<[Request]>(named: "segue-loader", [])

  /// Creates a loader for the player whose commands `player` executes.
  init(_ player: ForwardedRun) { self.player = player }

  deinit { worker.closeWhenIdle() }

  /// Loads the file, directory or stream at `path` asynchronously. Safe to call from any thread. Does nothing if no
  /// thread can be created.
  func load(_ path: FilePath, _ destination: LoadDestination) {
    worker.post { if $0.count < Self.limit { $0.append(Request(path: path, destination: destination)) } }
    do throws(Errno) {
      try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [player] request in
        // Errors cannot be reported, since the desktop's call has already returned.
        try? Self.load(request, player)
      }
    } catch {
      worker.withPending { $0 = [] }
    }
  }

  private static func load(_ request: Request, _ player: ForwardedRun) throws(PlayerError) {
    let session = player.session()
    let library = LibraryRequest(roots: session.library, dataDirectory: session.dataDirectory, in: session)
    let uri = StreamAddress(request.path)?.description ?? request.path.fileURI
    let found = try session.silentFinder(library).find(album: uri, track: nil)
    try found.collection.check(isNotWrittenTo: session.outputFile)
    let (actions, queue) = (session.services.actions, session.services.queue)
    switch request.destination {
    case .replacing: actions.enqueue(found.collection, item: found.item)
    case .position(let position, let plays):
      let added = found.isTrack ? found.track.collection : found.collection
      let before = queue.queue
      actions.add(added, at: position < before.items.count ? .position(position) : .end)
      actions.awaitDelivery()
      if plays, let item = queue.queue.firstItem(of: added.tracks, since: before) { actions.play(item.id) }
    }
  }
}
