import FoundationEssentials
import MusicModel
import Platform
import PlayerFlow
public import SystemPackage

extension CommandTable {
  /// What Segue's own command line asks of a player that runs, through the owner's socket alone.
  static let forwarding: [RemoteCommand] = [
    RemoteCommand("segue", .owner, arguments: 4...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let words = arguments.words.compactMap { PercentCoding.decoded($0[...]) }
      guard words.count == arguments.count else { throw ProtocolError(.argument, "Bad percent-encoding") }
      // No path has a byte 0.
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

/// A command of the command line that another process of the same user has the player obey.
public struct ForwardedCommand: Sendable, Equatable {
  /// The words behind the program's name, byte for byte.
  public var words: [[UInt8]]
  /// Where relative paths begin; absolute.
  public var workingDirectory: FilePath
  /// How many columns the terminal has that shows the answer; `nil` where none does.
  public var columns: Int?
  /// How the answer is written: one word of ASCII, which both sides understand.
  public var manner: String

  /// The command of these words.
  public init(words: [[UInt8]], workingDirectory: FilePath, columns: Int?, manner: String = "-") {
    self.words = words
    self.workingDirectory = workingDirectory
    self.columns = columns
    self.manner = manner
  }
}

/// What came of a command that was forwarded.
public struct ForwardedOutcome: Sendable, Equatable {
  /// The lines for standard output, safe for a terminal, or as JSON.
  public var output: [String]
  /// The lines for standard error, safe for a terminal.
  public var errors: [String]
  /// The status to end with.
  public var status: Int32
  /// Whether the lines say which track is about to begin.
  public var saysTrack: Bool
  /// The word of the command that means several things, which are the lines of the output; `nil` where none does.
  public var ambiguousText: String?
  /// What means one of these each where it is written in its place.
  public var answers: [String] = []
  /// The line of ``output`` that a pager is to begin with, counted from 1.
  public var firstLine: Int?

  /// An outcome of these parts.
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

/// A scene as a player tells it to another process of the same user: what a view shows of the tracks, and their files
/// byte for byte.
struct EncodedScene: Codable, Equatable {
  /// What is told of a track.
  struct Song: Codable, Equatable {
    /// Its file, percent-encoded.
    let path: String
    let title: String
    let artists: [String]
    let album: String?
    let year: Int?
    /// How long it lasts, where its tags say so.
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
  /// The scene that was told; `nil` where that makes no sense.
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
  /// The track of which this was told; `nil` where it has no file.
  fileprivate init?(_ song: EncodedScene.Song) {
    // No path has a byte 0.
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

/// A value as JSON on one line, as Segue's own words of the protocol tell it.
enum JSONLine {
  /// The line without its end; an empty object where the value has no JSON.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The value in `line`; `nil` where it is none of this type.
  static func value<Value: Decodable>(_ line: String) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
