// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import TestSupport

@testable import RemoteControl

/// A scanned library with a server.
struct LibraryRig {
  let data: TemporaryDirectory
  let library: IndexedLibrary
  let remote: RemoteLibrary
  let rig: RemoteRig
  /// The dispatcher that receives the scan requests of clients.
  let dispatcher: LibraryDispatcher

  /// Scans the library in `root` and `others`, and starts a server for it.
  init(_ root: FilePath = Fixture.directory.appending("Music"), _ others: [FilePath] = []) throws {
    data = try TemporaryDirectory()
    library = IndexedLibrary(index: try LibraryIndex(directory: data.path), roots: LibraryRoots(root, others))
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    dispatcher = LibraryDispatcher()
    remote = RemoteLibrary(
      library, store: LibraryStore(dispatcher: dispatcher),
      actions: LibraryActionCreator(dispatcher: dispatcher))
    rig = try RemoteRig(library: remote)
  }

  /// Returns the context of a command, for a local or a network client.
  func context(isLocal: Bool) -> CommandContext {
    let player = RemotePlayer(
      queue: rig.queue, playback: rig.playback, actions: rig.actions, library: remote, awaitStorage: { nil },
      execute: { _ in ForwardedOutcome(output: [], errors: [], status: 0) }, quit: {})
    return CommandContext(
      player: player, announce: { _ in },
      client: ClientState(
        id: ClientID(rig), permission: isLocal ? .everything : .network, isLocal: isLocal))
  }

  /// Returns the lines of the response, or the error.
  func answer(_ command: String, _ arguments: String...) throws -> [String] {
    var client = try rig.client()
    return try client.answer([command] + arguments)
  }
}

extension ControlClient {
  /// Returns the lines of the response, or one line with the error.
  mutating func answer(_ words: [String]) throws(ControlClientError) -> [String] {
    do throws(ControlClientError) {
      return try send(words[0], Array(words.dropFirst())).map { "\($0.key): \($0.value)" }
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return ["ACK \(refusal.code.rawValue) \(refusal.message)"]
    }
  }
}
