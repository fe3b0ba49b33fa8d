// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import MusicModel
import Platform
import PlayerFlow
public import SystemPackage

extension CommandTable {
  /// The commands that Segue's command line sends to a running player, through the owner's socket only.
  static let forwarding: [RemoteCommand] = [
    RemoteCommand("segue", .owner, arguments: 4...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let words = arguments.words.compactMap { PercentCoding.decoded($0[...]) }
      guard words.count == arguments.count else { throw ProtocolError(.argument, "Bad percent-encoding") }
      // A path cannot contain a NUL byte.
      let directory = FilePath(systemBytes: words[0])
      guard directory.isAbsolute, !words[0].contains(0) else { throw ProtocolError(.argument, "Bad directory") }
      let outcome = context.player.execute(
        ForwardedCommand(
          words: Array(words[3...]), workingDirectory: directory,
          columns: Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil }, style: arguments[2]))
      for line in outcome.output { context.response.add("output", line) }
      for line in outcome.errors { context.response.add("error", line) }
      if outcome.announcesTrack { context.response.add("track", 1) }
      if let text = outcome.ambiguousText {
        context.response.add("ambiguous", PercentCoding.encoded(Array(text.utf8)))
        for answer in outcome.answers { context.response.add("answer", PercentCoding.encoded(Array(answer.utf8))) }
      }
      if let line = outcome.firstLine { context.response.add("line", line) }
      context.response.add("status", outcome.status)
    },
    RemoteCommand("segue_now", .owner, arguments: 0...1, lane: .quick) {
      arguments, context throws(ProtocolError) in
      let limit = try arguments.count > 0 ? arguments.unsigned(0, upTo: NowPlaying.nextLimit) : nil
      let player = context.player
      context.response.add("status", JSONLine.text(player.status))
      guard let limit else { return }
      let nowPlaying = NowPlaying(player.queue.queue, player.playback.state, nextLimit: limit)
      context.response.add("scene", JSONLine.text(EncodedNowPlaying(nowPlaying)))
    },
  ]
}

/// A command line that another process of the same user sends to the player for execution.
public struct ForwardedCommand: Sendable, Equatable {
  /// The arguments without the name of the program, as uninterpreted bytes.
  public var words: [[UInt8]]
  /// The absolute path of the directory to which relative paths refer.
  public var workingDirectory: FilePath
  /// The width of the terminal that displays the output, in columns; `nil` if there is none.
  public var columns: Int?
  /// The output style for the terminal that displays the output, encoded as one ASCII word.
  public var style: String

  /// Creates a command line from its parts.
  public init(words: [[UInt8]], workingDirectory: FilePath, columns: Int?, style: String = "-") {
    self.words = words
    self.workingDirectory = workingDirectory
    self.columns = columns
    self.style = style
  }
}

/// The outcome of a command that the player has executed for another process.
public struct ForwardedOutcome: Sendable, Equatable {
  /// The lines for standard output: text that is safe for a terminal, or JSON.
  public var output: [String]
  /// The lines for standard error, safe for a terminal.
  public var errors: [String]
  /// The exit status of the command.
  public var status: Int32
  /// Whether the output already names the track that is about to start.
  public var announcesTrack: Bool
  /// The argument that is ambiguous, with the candidates as the lines of ``output``; `nil` if no argument is.
  public var ambiguousText: String?
  /// The text that replaces ``ambiguousText`` for each line of ``output``.
  public var answers: [String] = []
  /// The line of ``output`` at which a pager should start, counted from 1; `nil` for the first.
  public var firstLine: Int?

  /// Creates an outcome from its parts.
  public init(
    output: [String], errors: [String], status: Int32, announcesTrack: Bool = false, firstLine: Int? = nil
  ) {
    self.output = output
    self.errors = errors
    self.status = status
    self.announcesTrack = announcesTrack
    self.firstLine = firstLine
  }
}

/// The encoded form of ``NowPlaying``, for another process of the same user. It includes the paths of the files as
/// uninterpreted bytes.
struct EncodedNowPlaying: Codable, Equatable {
  /// The encoded form of a track.
  struct Song: Codable, Equatable {
    /// The path of the file, percent-encoded.
    let path: String
    let title: String
    let artists: [String]
    let album: String?
    let year: Int?
    /// The duration in seconds according to the tags; `nil` if they do not state one.
    let seconds: Double?
  }

  let song: Song?
  let position: Int?
  let count: Int
  let title: String
  let next: [Song]
  let modes: PlayerStatus.Modes

  init(_ nowPlaying: NowPlaying) {
    song = nowPlaying.track.map(Song.init)
    position = nowPlaying.position
    count = nowPlaying.count
    title = nowPlaying.title
    next = nowPlaying.next.map(Song.init)
    modes = nowPlaying.modes
  }
}

extension EncodedNowPlaying.Song {
  init(_ track: Track) {
    self.init(
      path: PercentCoding.encoded(track.path.systemBytes), title: track.title, artists: track.artists,
      album: track.album, year: track.date?.year, seconds: track.duration.map { $0 / .seconds(1) })
  }
}

extension NowPlaying {
  /// Decodes what is playing. Returns `nil` if the encoded form is inconsistent.
  init?(_ encoded: EncodedNowPlaying) {
    let next = encoded.next.compactMap { Track($0) }
    let track = encoded.song.flatMap { Track($0) }
    guard encoded.count >= 0, next.count == encoded.next.count, (track == nil) == (encoded.song == nil),
      encoded.position.map({ (0..<encoded.count).contains($0) }) ?? true
    else { return nil }
    self.init(
      track: track, position: encoded.position, count: encoded.count, title: encoded.title, next: next,
      modes: encoded.modes)
  }
}

extension Track {
  /// Decodes a track. Returns `nil` if its path is invalid.
  fileprivate init?(_ song: EncodedNowPlaying.Song) {
    // A path cannot contain a NUL byte.
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

/// Encodes and decodes values as JSON on one line, for the commands that Segue adds to the protocol.
enum JSONLine {
  /// Returns a value as JSON, without a line break; an empty object if it cannot be encoded.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Returns the value that `line` encodes; `nil` if it is not of this type.
  static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
