// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Flux
import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import PlayerPort
import SystemPackage
import Tagging
import TestSupport

@testable import RemoteControl

/// A scanned library with a server.
struct LibraryRig {
  let data: TemporaryDirectory
  let library: IndexedLibrary
  let remoteLibrary: RemoteLibrary
  let remoteRig: RemoteRig
  /// The dispatcher that receives the scan requests of clients.
  let dispatcher: LibraryDispatcher

  /// Scans the library in `root` and `others`, and starts a server for it.
  init(_ root: FilePath = Fixture.directory.appending("Music"), _ others: [FilePath] = []) throws {
    data = try TemporaryDirectory()
    library = IndexedLibrary(index: try LibraryIndex(directory: data.path), roots: LibraryRoots(root, others))
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    dispatcher = LibraryDispatcher()
    remoteLibrary = RemoteLibrary(
      library, store: LibraryStore(dispatcher: dispatcher),
      actions: LibraryActionCreator(dispatcher: dispatcher))
    remoteRig = try RemoteRig(library: remoteLibrary)
  }

  /// Returns the context of a command, for a local or a network client, with a chosen directory for playlists.
  func context(isLocal: Bool, playlists: FilePath? = nil) -> CommandContext {
    let chosen = RemoteLibrary(
      library, store: LibraryStore(dispatcher: dispatcher), actions: LibraryActionCreator(dispatcher: dispatcher),
      playlists: playlists)
    let parts = LocalPlayer.Parts.withoutEngine(remoteRig.queue, remoteRig.playback, remoteRig.actions)
    let port = LocalPlayer(parts)
    port.use(.init(library, chosen.store, chosen.actions), of: parts.library)
    let player = ControlledPlayer(
      queue: remoteRig.queue, playback: remoteRig.playback, library: playlists == nil ? remoteLibrary : chosen,
      port: port)
    return CommandContext(
      player: player, announce: { _ in },
      client: ClientState(
        id: ClientID(remoteRig), permission: isLocal ? .everything : .network, isLocal: isLocal))
  }

  /// Sends a command, and returns the lines of the response, or one line with the error.
  func request(_ command: String, _ arguments: String...) throws -> [String] {
    var client = try remoteRig.client()
    return try client.request([command] + arguments)
  }
}

extension ControlClient {
  /// Sends the command `words`, and returns the lines of the response, or one line with the error.
  mutating func request(_ words: [String]) throws(ControlClientError) -> [String] {
    do throws(ControlClientError) {
      return try send(words[0], Array(words.dropFirst())).map { "\($0.key): \($0.value)" }
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return ["ACK \(refusal.code.rawValue) \(refusal.message)"]
    }
  }
}
