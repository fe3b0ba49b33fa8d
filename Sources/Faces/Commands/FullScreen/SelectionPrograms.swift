// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// Runs programs of the user with the tracks that are selected on the full screen. A program gets their paths as
/// arguments, and what is known of them as lines of JSON on its standard input. Safe to use from any thread.
final class SelectionPrograms: Sendable {
  /// The maximum number of tracks with which a program is run.
  static let trackLimit = 1_000
  /// The maximum time for a program, in milliseconds. It may have windows in which the user works for long.
  private static let milliseconds: UInt64 = 24 * 3_600 * 1_000

  private let runner: UserPrograms

  init(_ runner: UserPrograms = UserPrograms(milliseconds: milliseconds)) { self.runner = runner }

  /// Starts a program with the tracks of rows of `lists`. Calls `onDone` when it has started, and again if it fails.
  func start(
    _ words: [String], with lists: PlayerLists, _ targets: [ListTarget],
    _ onDone: @escaping @Sendable (ScreenOutcome) -> Void
  ) {
    let name = words.first ?? ""
    do throws(PlayerError) {
      let tracks = try lists.tracks(ScreenCommand.music(targets))
      guard !tracks.isEmpty else { throw PlayerError(.notFound, "no tracks are selected") }
      guard tracks.count <= Self.trackLimit else {
        throw PlayerError(
          .usage, "\(ItemCount.text(tracks.count, "track")) are selected: a program gets at most \(Self.trackLimit)")
      }
      let isAnnounced = Latch()
      try start(words + Self.paths(of: tracks), input: Self.input(tracks)) { end in
        isAnnounced.wait()
        let problem =
          switch end {
          case .exited(0): ""
          case .exited(let status): "\(name) has failed with the status \(status)"
          case .killed(let signal): "\(name) was ended by signal \(signal)"
          }
        if !problem.isEmpty { onDone(ScreenOutcome(lines: [problem], isFailed: true)) }
      }
      onDone(ScreenOutcome(lines: ["started \(name) with \(ItemCount.text(tracks.count, "track"))"]))
      isAnnounced.open()
    } catch {
      onDone(ScreenOutcome(lines: [error.message], isFailed: true))
    }
  }

  private func start(
    _ words: [String], input: [UInt8], onEnd: @escaping @Sendable (UserPrograms.End) -> Void
  ) throws(PlayerError) {
    do throws(UserPrograms.StartError) { try runner.start(words, input: input, onEnd: onEnd) } catch {
      switch error {
      case .notFound(let name): throw PlayerError(.failure, "there is no program named \(name)")
      case .tooMany: throw PlayerError(.failure, "too many programs are running already: end one of them")
      case .failed(let reason): throw PlayerError(.failure, "cannot run \(words.first ?? ""): \(reason)")
      }
    }
  }

  /// Returns the paths of the files, each once; the addresses of streams.
  private static func paths(of tracks: [Track]) throws(PlayerError) -> [String] {
    var paths: [String] = []
    for track in tracks {
      let path = StreamAddress(track.path)?.description ?? String(validating: track.path)
      guard let path else {
        throw PlayerError(.failure, "cannot pass \(track.path.shown) to a program: its name is not valid UTF-8")
      }
      // The tracks of a cue sheet follow each other.
      if paths.last != path { paths.append(path) }
    }
    return paths
  }

  /// Returns the objects that `segue tracks --json` prints, as many as have room.
  private static func input(_ tracks: [Track]) -> [UInt8] {
    var input: [UInt8] = []
    for track in tracks {
      var object = ListedObject(.track)
      object.setTrack(track)
      let line = Array(((JSONText.text(object) ?? "{}") + "\n").utf8)
      if input.count + line.count > UserPrograms.inputLimit { break }
      input += line
    }
    return input
  }
}
