// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import SystemPackage
import Tagging

/// Writes the response lines that describe a track: its file, its duration and its tags.
struct SongText {
  /// The root directories of the library. Paths in them are written as relative paths.
  let roots: LibraryRoots?
  /// The tags that the client has selected.
  let tags: Set<SongTag>

  /// Creates a writer of lines with `tags`, for a library with the root directories `roots`.
  init(roots: LibraryRoots?, tags: Set<SongTag>) {
    self.roots = roots
    self.tags = tags
  }

  /// Creates a writer of lines for the client of `context`.
  init(_ context: CommandContext) {
    self.init(roots: context.player.library?.index.roots, tags: context.client.tags)
  }

  /// Adds the lines of `track`, the first of which is `file`.
  ///
  /// - Parameter times: The times of the file; `nil` to omit them.
  func add(_ track: Track, times: FileTimes? = nil, to response: inout Response) {
    response.add("file", SongURI.text(track, in: roots))
    if let range = track.range { response.add("Range", range.text) }
    if let time = times.flatMap({ Timestamp.text(nanoseconds: $0.modified) }) { response.add("Last-Modified", time) }
    if let time = times.flatMap({ Timestamp.text(seconds: $0.added) }) { response.add("Added", time) }
    if let audio = track.audio { response.add("Format", Self.format(audio)) }
    let hasAdditionalTags = !track.additionalTags.values.isEmpty
    for tag in SongTag.allCases where tags.contains(tag) && (hasAdditionalTags || tag.additionalKind == nil) {
      for value in tag.values(of: track) { response.add(tag.rawValue, value) }
    }
    if let duration = track.duration {
      response.add("Time", Int((duration / .seconds(1)).rounded()))
      response.add("duration", duration.secondsText)
    }
  }

  /// Adds the lines of the queue item at `position`.
  ///
  /// - Parameter times: The times of the file; `nil` to omit them.
  func add(_ item: PlayQueue.Item, at position: Int, times: FileTimes?, to response: inout Response) {
    add(item.track, times: times, to: &response)
    response.add("Pos", position)
    response.add("Id", item.id.rawValue)
    if item.priority > 0 { response.add("Prio", item.priority) }
  }

  /// Returns an audio format in the form `RATE:BITS:CHANNELS`, with `f` for the bits if there is no bit depth.
  static func format(_ audio: AudioSummary) -> String {
    "\(audio.sampleRate):\(audio.bitDepth.map { "\($0)" } ?? "f"):\(audio.channels)"
  }
}

extension SongTag {
  /// Returns the values of this tag in `track`, in the order in which the track lists them.
  func values(of track: Track) -> [String] {
    switch self {
    case .artist: track.artists
    case .artistSort: track.sortNames.artist.map { [$0] } ?? []
    case .album: track.album.map { [$0] } ?? []
    case .albumSort: track.sortNames.album.map { [$0] } ?? []
    case .albumArtist: track.albumArtists
    case .albumArtistSort: track.sortNames.albumArtist.map { [$0] } ?? []
    case .title: [track.title]
    case .titleSort: track.sortNames.title.map { [$0] } ?? []
    case .track: track.shownNumber.map { [$0] } ?? []
    case .genre: track.genres
    case .date: track.additionalTags.first(.releaseDate).map { [$0] } ?? track.date.map { [$0.text] } ?? []
    case .composer: track.composers
    case .disc: track.disc.map { ["\($0.number)"] } ?? []
    case .musicBrainzAlbumID: track.musicBrainzAlbumID.map { [$0] } ?? []
    default: additionalKind.map { track.additionalTags[$0] } ?? []
    }
  }
}

extension Duration {
  /// The duration in seconds with three decimal places, as the protocol writes durations.
  var secondsText: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let fraction = String(milliseconds.magnitude + 1000).dropFirst()
    return "\(seconds < 0 || milliseconds < 0 ? "-" : "")\(seconds.magnitude).\(fraction)"
  }
}
