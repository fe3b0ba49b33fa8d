// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import Platform
package import PlayerFlow
package import PlayerPort
import SystemPackage
package import Terminal
import UnicodeText

/// Formats the line that announces a track.
package enum TrackLine {
  /// Returns the line for a track that a request has started.
  package static func text(_ started: StartedTrack, _ style: OutputStyle = OutputStyle()) -> String {
    text(started.track.track, at: started.index, of: started.count, title: started.title, style)
      + (started.resumedAt.flatMap { Duration(reportedSeconds: $0) }.map { ", " + Resumption.notice($0) } ?? "")
  }

  /// Returns the line for a track of the queue that has started.
  package static func text(_ track: QueueTrack, _ style: OutputStyle = OutputStyle()) -> String {
    text(track.track.track, at: track.position, of: track.count, title: track.title, style)
  }

  private static func text(
    _ track: Track, at index: Int, of count: Int, title: String, _ style: OutputStyle
  ) -> String {
    if style.isPlain {
      var track = track
      track.album = track.album ?? title
      return PlainLine(track: track, number: nil).prefixed(with: "playing \(index &+ 1) of \(count)").text
    }
    let names = [track.title, track.artistCredit, track.album ?? title]
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
  package init(track: Track, number: Int?, marks: [(isOn: Bool, word: String)] = []) {
    self = marks.filter(\.isOn).reduce(PlainLine(track.title, number: number)) { $0.adding($1.word) }
      .adding(track.artistCredit, as: "artist").adding(track.album, as: "album")
      .adding(time: track.duration)
  }
}

/// The details that `--verbose` prints during playback: the file that is being decoded and the output, whenever one of
/// them changes.
package struct PlaybackDetails {
  private var file: String?
  private var output: String?

  package init() {}

  /// Returns the details that have changed in `status` since the last call, one line each; not yet escaped for a
  /// terminal.
  package mutating func take(from status: PlayerStatus) -> [String] {
    var lines: [String] = []
    if let song = status.song, let source = status.source, status.phase != .stopped {
      let file = "decoding: \(song.path ?? song.title), \(FormatText.text(source))"
      if file != self.file { lines.append(file) }
      self.file = file
    }
    if let opened = status.output, let deviations = status.deviations {
      let output = "output: \(opened.name), \(FormatText.text(opened.format)), \(FormatText.path(deviations))"
      if output != self.output { lines.append(output) }
      self.output = output
    }
    return lines
  }
}
