// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import FaceExamples
import Flux
import LibraryIndex
import LibraryScanning
import LoudnessMeasuring
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Scrobbling
import SystemPackage
import Tagging
import TestSupport

@testable import Commands
@testable import Screens
@testable import Terminal
@testable import UserSettings

/// A REPL session without a player, which executes lines and captures their output.
final class CommandSession {
  let directory: TemporaryDirectory
  let session: Session
  /// The file that captures the output.
  private let captureFile: FileDescriptor

  init() throws {
    directory = try TemporaryDirectory()
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    captureFile = try FileDescriptor.open(
      directory["lines"], .readWrite, options: [.create, .append], permissions: .ownerReadWrite)
    let library = LibraryServices(
      access: LibraryAccess(
        scanner: LibraryScanner(),
        open: { request throws(PlayerError) in
          do throws(LibraryIndexError) {
            return IndexedLibrary(
              index: try LibraryIndex(directory: request.dataDirectory), roots: request.roots)
          } catch {
            throw PlayerError(.failure, error.description)
          }
        }, openPresent: { _ in nil },
        language: QueryLanguage(parse: { _ in .everything }, makeQuery: \.query)),
      isPresent: { LibraryIndex.isPresent(in: $0) },
      makeFlow: { _ in throw Errno.notSupported },
      covers: CoverCache(in: directory["cache"]),
      measurer: LoudnessMeasurer { path throws(DecodingError) in
        throw DecodingError(path: path, kind: .empty, reason: "no sound")
      },
      openLoudness: { directory throws(PlayerError) in throw PlayerError(.failure, "no loudness in \(directory)") })
    let services = Services(
      queue: QueueListener(store), playback: PlaybackStore(store),
      actions: PlayerActionCreator(dispatcher: dispatcher), library: library,
      player: PlayerServices(
        make: { _ in throw Errno.notSupported }, listOutputs: { _ in [] }, rendersFile: { $0.hasPrefix("wav:") }),
      remote: RemoteServices(
        startServer: { _ throws(RemoteServerError) in throw .resources(.notSupported) },
        showOnDesktop: { _ in {} }),
      storage: StorageServices(
        makePersister: { _ in throw Errno.notSupported }, queues: { _, _ in QueuesInMemory() }),
      diagnosis: DiagnosisServices(
        libraries: { [] }, checkIndex: { ($0, nil) }, checkState: { [($0, nil)] }),
      makeScrobbling: { ScrobbleContext(directory: $0, settings: $1) })
    session = Session(
      services: services, isConversation: true, library: LibraryRoots(directory["music"]),
      stateDirectory: directory["state"],
      dataDirectory: directory["data"], output: .streams(errors: captureFile))
    // Printed lines go to the same file as errors.
    session.outputFile = "-"
    var parts = session.playerParts(services.queue, services.playback, services.actions)
    parts.options = []
    parts.queues = QueuesInMemory()
    session.player = LocalPlayer(parts)
  }

  deinit { try? captureFile.close() }

  /// The current queue.
  var queue: PlayQueue { session.services.queue.queue }

  /// The titles of the queue's items.
  var titles: [String] { queue.items.map(\.track.title) }

  /// Replaces the queue with tracks with these titles.
  func load(_ titles: [String], current: Int? = 0) {
    session.services.actions.enqueue(
      TrackCollection(title: "T", tracks: titles.map { Examples.track($0) }), item: current)
  }

  /// Writes an album's files, with these titles, into a directory named `name`, and returns its path.
  func makeAlbum(_ name: String, _ titles: [String]) throws -> String {
    for (index, title) in titles.enumerated() {
      let tags = [("TITLE", title), ("ALBUM", name), ("ARTIST", "A"), ("TRACKNUMBER", "\(index + 1)")]
      try directory.write(SoundBytes.flac(tags), to: FilePath("music/\(name)/\(index).flac"))
    }
    return directory["music/\(name)"].string
  }

  /// Executes a line and returns its output, with spaces instead of tabs.
  func execute(_ line: String) throws -> [String] {
    guard let command = try ReplWord.parseAsRoot(try LineTokenizer.words(line)) as? any SessionCommand else {
      return []
    }
    return try lines { try session.withStyle(try command.outputStyle.overrides()) { try command.run(in: session) } }
  }

  /// Calls `body` and returns the lines that it prints.
  func lines(_ body: () throws -> Void) throws -> [String] {
    let start = try captureFile.seek(offset: 0, from: .end)
    try body()
    var text = [UInt8](repeating: 0, count: 1 << 20)
    let count = try text.withUnsafeMutableBytes { try captureFile.read(fromAbsoluteOffset: start, into: $0) }
    return String(decoding: text[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Executes a line and returns its error, or `nil` if it has none.
  func error(_ line: String) -> PlayerError? {
    do {
      _ = try execute(line)
      return nil
    } catch {
      return PlayerError(of: error)
    }
  }
}
