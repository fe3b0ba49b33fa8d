// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Tagging
import Terminal
import UserSettings

/// Performs the commands of a full screen, one after the other, on a thread of its own: in this process, or by sending
/// them to the player in another one.
final class ScreenPerformer: Sendable {
  /// The player that performs the commands.
  enum Target: Sendable {
    case local(ForwardedRun)
    case remote(FilePath)
  }

  private struct Job: Sendable {
    let words: [[UInt8]]
    let changesLists: Bool
    let onDone: @Sendable (ScreenOutcome) -> Void
  }

  /// The maximum time in milliseconds to wait for the last commands at the end.
  private static let endTimeout: UInt64 = 2_000
  /// The maximum number of waiting commands, in case a key is held down.
  private static let limit = 64
  /// The maximum time to wait for a player in another process. A command may have to read many files.
  private static let timeout = Duration.seconds(30)
  /// The maximum length in bytes of a command for a player in another process.
  private static let remoteLimit = 60_000
  /// The prefix of all error messages.
  private static let messagePrefix = "segue: "

  private let target: Target
  private let template: ForwardedCommand
  private let libraryWords: [[UInt8]]
  private let worker = Worker<[Job]>(named: "segue-commands", [])

  /// Creates a performer of commands of `session` for the library of `request`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ target: Target, _ request: LibraryRequest, by session: Session) throws(Errno) {
    self.target = target
    var template = ForwardedCommand(words: [], by: session)
    // The screen has its own colours.
    var style = session.outputStyle
    style.hasColours = false
    template.style = style.code
    self.template = template
    libraryWords =
      request.roots.paths.flatMap { [Array("--library".utf8), $0.systemBytes] } + [
        Array("--data-dir".utf8), request.dataDirectory.systemBytes,
      ]
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { [self] job in
      let outcome = outcome(of: job.words)
      job.onDone(
        ScreenOutcome(lines: outcome.lines, isFailed: outcome.isFailed, changesLists: job.changesLists))
    }
  }

  /// Ends the thread when all commands have been performed, and waits briefly for that.
  func end() {
    worker.closeWhenIdle()
    _ = worker.join(until: .now.advanced(byMilliseconds: Self.endTimeout))
  }

  /// Performs `command`, and calls `onDone` with the outcome, on the thread of this object.
  func perform(_ command: ScreenCommand, _ roots: LibraryRoots, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    guard let words = words(command, roots) else { return }
    let changesLists =
      switch command {
      case .rate, .rateCurrent, .addToPlaylist, .removeFromPlaylist, .moveInPlaylist, .deletePlaylists, .renamePlaylist,
        .toggleOutput, .line:
        true
      case .use, .playItem, .remove, .move, .clear, .changeMode, .undo, .redo, .control, .seek: false
      }
    post(words, changesLists: changesLists, onDone)
  }

  /// Performs the command with these words.
  func post(_ words: [[UInt8]], changesLists: Bool, _ onDone: @escaping @Sendable (ScreenOutcome) -> Void) {
    let isAccepted = worker.withPending { jobs in
      guard jobs.count < Self.limit else { return false }
      jobs.append(Job(words: words, changesLists: changesLists, onDone: onDone))
      return true
    }
    guard isAccepted else {
      return onDone(ScreenOutcome(lines: ["too many commands are waiting: the last one was dropped"], isFailed: true))
    }
    worker.wake()
  }

  private func outcome(of words: [[UInt8]]) -> (lines: [String], isFailed: Bool) {
    var command = template
    command.words = words
    let outcome: ForwardedOutcome
    switch target {
    case .local(let run): outcome = run.execute(command)
    case .remote(let socket):
      // A line of the protocol is limited.
      guard words.reduce(0, { $0 + $1.count + 3 }) < Self.remoteLimit else {
        return (["too much is marked for a player in another process: mark less"], true)
      }
      do throws(ControlClientError) {
        var client = try ControlClient(socket, timeout: Self.timeout)
        outcome = try client.forward(command)
      } catch {
        return (["the player \(Forwarding.reason(error))"], true)
      }
    }
    let isFailed = outcome.status != ExitStatus.success.rawValue
    // The candidates of an ambiguous word follow its message.
    let errors = outcome.errors.map { line in
      line.hasPrefix(Self.messagePrefix) ? String(line.dropFirst(Self.messagePrefix.count)) : line
    }
    let lines = errors + outcome.output
    return (Array(lines.prefix(3)), isFailed)
  }

  // MARK: Words

  private func words(_ command: ScreenCommand, _ roots: LibraryRoots) -> [[UInt8]]? {
    switch command {
    case .use(let use, let targets, let content):
      return chosen([Array(use.rawValue.utf8)] + Self.words(targets, in: content, use, roots))
    case .playItem(let id): return chosen(["item", "\(id)"])
    case .remove(let ids): return chosen(["remove"] + ids.map { "\($0)" })
    case .move(let ids, let position): return chosen(["move", "\(position)"] + ids.map { "\($0)" })
    case .clear: return chosen(["clear"])
    case .changeMode(let mode): return chosen(["mode", mode.rawValue])
    case .addToPlaylist(let name, let targets, let content):
      return chosen(Self.pair("list-add", name) + Self.words(targets, in: content, .add, roots))
    case .removeFromPlaylist(let name, let files):
      return chosen(Self.pair("list-remove", name) + Self.words(files))
    case .moveInPlaylist(let name, let files, let position):
      return chosen(Self.pair("list-move", name) + [Array("\(position)".utf8)] + Self.words(files))
    case .deletePlaylists(let names): return chosen(["list-delete"] + names)
    case .renamePlaylist(let name, let newName): return chosen(["list-rename", name, newName])
    case .rateCurrent(let stars): return chosen(["rate", "\(stars)", "."])
    case .rate(let targets, let stars):
      let tracks = targets.compactMap { target -> [UInt8]? in
        switch target {
        case .item(let id): Array("#\(id)".utf8)
        case .track(let id, _): Array("=\(id)".utf8)
        case .file(let path, _): path.systemBytes
        case .album, .artist, .genre, .year, .playlist, .directory, .output: nil
        }
      }
      return chosen([Array("rate".utf8), Array("\(stars)".utf8)] + tracks)
    case .toggleOutput: return chosen(["output"])
    case .seek(let fraction): return chosen(["seek", "\(fraction)"])
    case .undo: return ["queue", "undo"].map { Array($0.utf8) }
    case .redo: return ["queue", "redo"].map { Array($0.utf8) }
    case .control(let key): return key.words.map { Array($0.utf8) }
    case .line: return nil
    }
  }

  private func chosen(_ words: [String]) -> [[UInt8]] { chosen(words.map { Array($0.utf8) }) }

  private func chosen(_ words: [[UInt8]]) -> [[UInt8]] {
    [Array("chosen".utf8)] + libraryWords + [Array("--".utf8)] + words
  }

  /// Returns the kinds and values of chosen rows. A single track is played with those around it.
  private static func words(
    _ targets: [ListTarget], in content: ListContent, _ use: ScreenCommand.Use, _ roots: LibraryRoots
  ) -> [[UInt8]] {
    if use == .play, targets.count == 1, let target = targets.first {
      switch (content, target) {
      case (.album(let id), .track(let track, _)): return pair("album", "\(id)") + pair("start-track", "\(track)")
      case (.album(let id), .file(_, let number)): return pair("album", "\(id)") + pair("start-number", "\(number)")
      case (.playlist(let name), .file(_, let number)):
        return pair("playlist", name) + pair("start-number", "\(number)")
      case (.directory(let directory), .track(let track, _)):
        return roots.absolute(directory).map { pair("directory", $0) + pair("start-track", "\(track)") } ?? []
      default: break
      }
    }
    return targets.flatMap { target -> [[UInt8]] in
      switch target {
      case .album(let id): pair("album", "\(id)")
      case .artist(let name): pair("artist", name)
      case .genre(let name): pair("genre", name)
      case .year(let year): pair("year", "\(year)")
      case .track(let id, _): pair("track", "\(id)")
      case .file(let path, _): pair("file", path)
      case .playlist(let name): pair("playlist", name)
      case .directory(let path): roots.absolute(path).map { pair("directory", $0) } ?? []
      case .item(let id): pair("item", "\(id)")
      case .output: []
      }
    }
  }

  private static func words(_ files: [ListPosition]) -> [[UInt8]] { files.flatMap { pair("\($0.number)", $0.path) } }

  private static func pair(_ kind: String, _ value: String) -> [[UInt8]] { [Array(kind.utf8), Array(value.utf8)] }
  private static func pair(_ kind: String, _ path: FilePath) -> [[UInt8]] { [Array(kind.utf8), path.systemBytes] }
}
