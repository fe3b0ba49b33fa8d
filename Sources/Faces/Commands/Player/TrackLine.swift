// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// Formats the line that announces a track.
enum TrackLine {
  /// Returns the line for the item at `position` of `queue`, such as "3/5 Blue in Green - Miles Davis - Kind of Blue
  /// (5:37)".
  static func text(
    position: Int, in queue: PlayQueue, _ style: OutputStyle = OutputStyle()
  ) -> String {
    text(queue.items[position].track, at: position, of: queue.items.count, title: queue.title, style)
  }

  /// Returns the line for the track at `index` of `collection`.
  static func text(
    index: Int, in collection: TrackCollection, _ style: OutputStyle = OutputStyle()
  ) -> String {
    text(collection.tracks[index], at: index, of: collection.tracks.count, title: collection.title, style)
  }

  /// Returns the line for a track that has started in the player of another process.
  static func text(_ event: PlayerEvent, _ style: OutputStyle = OutputStyle()) -> String {
    guard let song = event.song else { return "" }
    var track = Track(path: FilePath(song.path ?? ""), title: song.title)
    track.artists = song.artist.map { [$0] } ?? []
    track.album = song.album
    track.duration = song.seconds.flatMap { Duration(reportedSeconds: $0) }
    return text(
      track, at: event.queuePosition ?? 0, of: event.queueCount ?? 0, title: song.album ?? "", style)
  }

  private static func text(
    _ track: Track, at index: Int, of count: Int, title: String, _ style: OutputStyle
  ) -> String {
    if style.isPlain {
      var track = track
      track.album = track.album ?? title
      return PlainLine(track: track, number: nil).prefixed(with: "playing \(index &+ 1) of \(count)").text
    }
    let names = [track.title, track.artists.joined(separator: ", "), track.album ?? title]
    let time = track.duration.map { " (\(TimeText.text($0)))" } ?? ""
    return "\(index &+ 1)/\(count) "
      + names.filter { !$0.isEmpty }.joined(separator: " - ").safeForTerminal + time
  }
}

extension PlainLine {
  /// Creates the line of a track in a listing.
  ///
  /// - Parameters:
  ///   - number: The position of the track, counted from 1; `nil` to omit it.
  ///   - marks: Words to add after the title if they apply.
  init(track: Track, number: Int?, marks: [(isOn: Bool, word: String)] = []) {
    self = marks.filter(\.isOn).reduce(PlainLine(track.title, number: number)) { $0.adding($1.word) }
      .adding(track.artists.joined(separator: ", "), as: "artist").adding(track.album, as: "album")
      .adding(time: track.duration)
  }
}

/// The details that `--verbose` prints during playback: the file that is being decoded and the output, whenever one of
/// them changes.
struct PlaybackDetails {
  private var file: String?
  private var output: String?

  /// Returns the details that have changed in `state` since the last call, one line each; not yet escaped for a
  /// terminal. `queue` contains the item that is playing.
  mutating func take(from state: PlaybackState, _ queue: PlayQueue) -> [String] {
    var lines: [String] = []
    let track = state.item.flatMap { queue.position(of: $0) }.map { queue.items[$0].track }
    if let track, let source = state.format, state.phase != .stopped {
      let file = "decoding: \(track.path.shown), \(FormatText.text(PlayerStatus.Format(source)))"
      if file != self.file { lines.append(file) }
      self.file = file
    }
    if let opened = state.output, let deviations = state.deviations {
      let path = FormatText.path(deviations.map(\.description))
      let format = FormatText.text(PlayerStatus.Format(opened.format))
      let output = "output: \(opened.name), \(format), \(path)"
      if output != self.output { lines.append(output) }
      self.output = output
    }
    return lines
  }
}
