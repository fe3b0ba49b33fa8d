import Flux
import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import TestSupport

@testable import RemoteControl

/// A library that was read, with a server in front of it.
struct LibraryRig {
  let data: TemporaryDirectory
  let library: IndexedLibrary
  let remote: RemoteLibrary
  let rig: RemoteRig
  /// What the scans that a client asks for were asked for.
  let dispatcher: LibraryDispatcher

  /// The library in `root`, and in `others`.
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

  /// What a client works with, of this machine or from the network.
  func context(isLocal: Bool) -> CommandContext {
    let player = RemotePlayer(
      queue: rig.queue, playback: rig.playback, actions: rig.actions, library: remote, keep: { nil },
      obey: { _ in ForwardedOutcome(output: [], errors: [], status: 0) }, quit: {})
    return CommandContext(
      player: player, announce: { _ in },
      client: ClientState(
        id: ClientID(rig), permission: isLocal ? .everything : .network, isLocal: isLocal))
  }

  /// The lines of what a client is answered, or its refusal.
  func answer(_ command: String, _ arguments: String...) throws -> [String] {
    var client = try rig.client()
    return try client.answer([command] + arguments)
  }
}

extension ControlClient {
  /// The lines of an answer, or the one line that refuses.
  mutating func answer(_ words: [String]) throws(ControlClientError) -> [String] {
    do throws(ControlClientError) {
      return try ask(words[0], Array(words.dropFirst())).map { "\($0.key): \($0.value)" }
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return ["ACK \(refusal.code.rawValue) \(refusal.message)"]
    }
  }
}
