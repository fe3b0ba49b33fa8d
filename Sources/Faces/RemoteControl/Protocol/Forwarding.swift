// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import MusicModel
import Platform
import PlayerFlow
public import SystemPackage

extension CommandTable {
  /// The commands that Segue's own command line sends to a running player, through the owner's socket only.
  static let forwarding: [RemoteCommand] = [
    RemoteCommand("segue", .owner, arguments: 4...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let words = arguments.words.compactMap { PercentCoding.decoded($0[...]) }
      guard words.count == arguments.count else { throw ProtocolError(.argument, "Bad percent-encoding") }
      // No path contains a zero byte.
      let directory = FilePath(systemBytes: words[0])
      guard directory.isAbsolute, !words[0].contains(0) else { throw ProtocolError(.argument, "Bad directory") }
      let outcome = context.player.obey(
        ForwardedCommand(
          words: Array(words[3...]), workingDirectory: directory,
          columns: Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil }, manner: arguments[2]))
      for line in outcome.output { context.response.add("output", line) }
      for line in outcome.errors { context.response.add("error", line) }
      if outcome.saysTrack { context.response.add("track", 1) }
      if let text = outcome.ambiguousText {
        context.response.add("ambiguous", PercentCoding.encoded(Array(text.utf8)))
        for answer in outcome.answers { context.response.add("answer", PercentCoding.encoded(Array(answer.utf8))) }
      }
      if let line = outcome.firstLine { context.response.add("line", line) }
      context.response.add("status", outcome.status)
    },
    RemoteCommand("segue_lists", .owner, lane: .quick) { _, context in context.announce(.storedPlaylist) },
    RemoteCommand("segue_now", .owner, arguments: 0...1, lane: .quick) {
      arguments, context throws(ProtocolError) in
      let limit = try arguments.count > 0 ? arguments.unsigned(0, upTo: NowPlaying.nextLimit) : nil
      let player = context.player
      context.response.add("status", JSONLine.text(player.status))
      guard let limit else { return }
      let scene = NowPlaying(player.queue.queue, playing: player.playback.state.item, nextLimit: limit)
      context.response.add("scene", JSONLine.text(EncodedScene(scene)))
    },
  ]
}

/// A command of the command line that another process of the same user forwards to the player.
public struct ForwardedCommand: Sendable, Equatable {
  /// The arguments after the program's name, byte for byte.
  public var words: [[UInt8]]
  /// The absolute path that relative paths refer to.
  public var workingDirectory: FilePath
  /// The width of the terminal that shows the output, in columns; `nil` if there is none.
  public var columns: Int?
  /// The output style: one ASCII word that both sides understand.
  public var manner: String

  /// Creates a command from its parts.
  public init(words: [[UInt8]], workingDirectory: FilePath, columns: Int?, manner: String = "-") {
    self.words = words
    self.workingDirectory = workingDirectory
    self.columns = columns
    self.manner = manner
  }
}

/// The outcome of a forwarded command.
public struct ForwardedOutcome: Sendable, Equatable {
  /// The lines for standard output, safe for a terminal, or as JSON.
  public var output: [String]
  /// The lines for standard error, safe for a terminal.
  public var errors: [String]
  /// The exit status.
  public var status: Int32
  /// Whether the output says which track is about to start.
  public var saysTrack: Bool
  /// The argument that is ambiguous, with its possible meanings as the lines of ``output``; `nil` if none is.
  public var ambiguousText: String?
  /// The unambiguous replacements for ``ambiguousText``, one for each line of ``output``.
  public var answers: [String] = []
  /// The line of ``output`` at which a pager should start, counted from 1.
  public var firstLine: Int?

  /// Creates an outcome from its parts.
  public init(
    output: [String], errors: [String], status: Int32, saysTrack: Bool = false, firstLine: Int? = nil
  ) {
    self.output = output
    self.errors = errors
    self.status = status
    self.saysTrack = saysTrack
    self.firstLine = firstLine
  }
}

/// The encoded form of ``NowPlaying`` for another process of the same user: what a view shows of the tracks, and the
/// paths of their files byte for byte.
struct EncodedScene: Codable, Equatable {
  /// The encoded form of a track.
  struct Song: Codable, Equatable {
    /// The path of the file, percent-encoded.
    let path: String
    let title: String
    let artists: [String]
    let album: String?
    let year: Int?
    /// The duration in seconds, if the tags state it.
    let seconds: Double?
  }

  let song: Song?
  let position: Int?
  let count: Int
  let title: String
  let next: [Song]
  let modes: PlayerStatus.Modes

  init(_ scene: NowPlaying) {
    song = scene.track.map(Song.init)
    position = scene.position
    count = scene.count
    title = scene.title
    next = scene.next.map(Song.init)
    modes = scene.modes
  }
}

extension EncodedScene.Song {
  init(_ track: Track) {
    self.init(
      path: PercentCoding.encoded(track.path.systemBytes), title: track.title, artists: track.artists,
      album: track.album, year: track.date?.year, seconds: track.duration.map { $0 / .seconds(1) })
  }
}

extension NowPlaying {
  /// Decodes a scene; returns `nil` if it is inconsistent.
  init?(_ told: EncodedScene) {
    let next = told.next.compactMap { Track($0) }
    let track = told.song.flatMap { Track($0) }
    guard told.count >= 0, next.count == told.next.count, (track == nil) == (told.song == nil),
      told.position.map({ (0..<told.count).contains($0) }) ?? true
    else { return nil }
    self.init(
      track: track, position: told.position, count: told.count, title: told.title, next: next,
      modes: told.modes)
  }
}

extension Track {
  /// Decodes a track; returns `nil` if it has no valid path.
  fileprivate init?(_ song: EncodedScene.Song) {
    // No path contains a zero byte.
    guard let bytes = PercentCoding.decoded(song.path[...]), !bytes.isEmpty, !bytes.contains(0) else {
      return nil
    }
    self.init(path: FilePath(systemBytes: bytes), title: song.title)
    artists = song.artists
    album = song.album
    date = song.year.flatMap { ReleaseDate(year: $0) }
    duration = song.seconds.flatMap { $0 >= 0 && $0 < 1e9 ? .seconds($0) : nil }
  }
}

/// A value as JSON on one line, as Segue's own commands of the protocol send it.
enum JSONLine {
  /// Returns the line without its end, or an empty object if the value cannot be encoded.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Returns the value in `line`, or `nil` if it is not of this type.
  static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
