// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import MusicModel
package import PlayerFlow
package import PlayerPort
package import Terminal
import UnicodeText
package import UserSettings

/// Formats the status of a player as lines of text.
package enum StatusListing {
  /// Returns the lines in the style `style`, at most `columns` cells wide; `nil` means any width. Titles and problems
  /// have the text styles of `palette`.
  package static func lines(
    _ status: PlayerStatus, columns: Int?, _ style: OutputStyle = OutputStyle(),
    palette: Palette = .plain
  ) -> [String] {
    if style.isPlain { return plainLines(status) }
    let rows = rows(status, time: timeRows(status))
    let lines =
      [(title(status, isASCII: style.isASCII), .title)]
      + (status.song.flatMap { artistAndAlbum(of: $0) }.map { [($0, nil)] } ?? [])
      + rows.map { row in ("  \(row.name.padded(toCells: 10))  \(row.text)", row.role) }
    return lines.map { line, role in
      let line = columns.map { line.truncated(toCells: $0) } ?? line
      return role.map { palette[$0].applied(to: line) } ?? line
    }
  }

  /// A field of the status: its name, its text, and the palette role of the text.
  private typealias Row = (name: String, text: String, role: Palette.Role?)

  /// Returns the lines in plain style, one per field.
  private static func plainLines(_ status: PlayerStatus) -> [String] {
    var head: [Row] = [(status.phase.rawValue, status.song?.title.safeForTerminal ?? "no track", nil)]
    if let artist = status.song?.artist { head.append(("artist", artist.safeForTerminal, nil)) }
    if let album = status.song?.album { head.append(("album", album.safeForTerminal, nil)) }
    var times: [Row] = []
    if hasPosition(status) {
      let duration = status.song?.seconds.flatMap { Duration(reportedSeconds: $0) }
      let durationText = duration.map { " of \(TimeText.words($0))" } ?? ""
      times.append(("time", TimeText.words(Duration(reportedSeconds: status.elapsed) ?? .zero) + durationText, nil))
      if let position = status.queuePosition {
        times.append(("track", "\(position &+ 1) of \(status.queueCount)", nil))
      }
    }
    return (head + rows(status, time: times)).map { "\($0.name): \($0.text)" }
  }

  private static func timeRows(_ status: PlayerStatus) -> [Row] {
    guard hasPosition(status) else { return [] }
    let position = status.queuePosition.map { "\($0 &+ 1)/\(status.queueCount)" } ?? "-"
    return [("time", "\(time(status.elapsed)) of \(time(status.song?.seconds)), track \(position)", nil)]
  }

  /// Returns whether the status includes an elapsed time in a track.
  private static func hasPosition(_ status: PlayerStatus) -> Bool {
    status.phase != .stopped || status.process == PlayerStatus.noProcess && status.song != nil
  }

  private static func rows(_ status: PlayerStatus, time times: [Row]) -> [Row] {
    var rows = times
    if let next = status.next {
      let artist = next.artist.map { " · \($0.safeForTerminal)" } ?? ""
      rows.append(("next", next.title.safeForTerminal + artist, nil))
    }
    if let modes = status.modes.map(modes), !modes.isEmpty { rows.append(("modes", modes, nil)) }
    if let source = status.source { rows.append(("file", FormatText.text(source), nil)) }
    if let codec = status.codec {
      let bitRate = status.bitRate.map { ", \(FormatText.kilobits($0))" } ?? ""
      rows.append(("codec", codec.safeForTerminal + bitRate, nil))
    }
    if let chapter = status.chapter {
      let number = status.chapterNumber.flatMap { number in status.chapterCount.map { ", \(number) of \($0)" } }
      rows.append(("chapter", chapter.safeForTerminal + (number ?? ""), nil))
    }
    if let loop = LoopText.text(status) { rows.append(("loop", loop, nil)) }
    if let speed = SpeedText.text(status.speed) {
      let left = status.song?.seconds.map { (max(0, $0 - status.elapsed)) / (status.speed ?? 1) }
      rows.append(("speed", speed + (left.map { ", \(time($0)) left" } ?? ""), nil))
    }
    if let decoder = status.decoder { rows.append(("decoder", decoder.safeForTerminal, nil)) }
    if let output = status.output {
      let latency = output.latency > 0 ? ", \(decimal((output.latency * 1000).rounded())) ms latency" : ""
      rows.append(
        ("output", "\(output.name.safeForTerminal), \(FormatText.text(output.format))\(latency)", nil))
    }
    if let deviations = status.deviations { rows.append(("path", FormatText.path(deviations), nil)) }
    rows.append(("volume", "\(status.volume)%", nil))
    if status.process == PlayerStatus.noProcess {
      let hint = status.queueCount > 0 ? "; resume with `segue resume`" : ""
      return rows + [("player", "not running\(hint)", nil)]
    }
    if status.replayGain != "off" { rows.append(("ReplayGain", status.replayGain.safeForTerminal, nil)) }
    let bypassed = status.isEqualizerBypassed == true ? ", bypassed" : ""
    if let name = status.equalizer { rows.append(("equalizer", name.safeForTerminal + bypassed, nil)) }
    if let level = status.crossfeed { rows.append(("crossfeed", level.safeForTerminal + bypassed, nil)) }
    let crossfades = [
      status.crossfade > 0 ? "\(decimal(status.crossfade)) s" : nil,
      status.crossfadeOnNext.flatMap { $0 > 0 ? "on next \(decimal($0)) s" : nil },
    ].compactMap(\.self)
    if !crossfades.isEmpty { rows.append(("crossfade", crossfades.joined(separator: ", "), nil)) }
    if let sleep = status.sleep { rows.append(("sleep", "in \(Self.time(sleep))", nil)) }
    if status.underruns > 0 { rows.append(("underruns", "\(status.underruns)", nil)) }
    if let problem = status.problem { rows.append(("output", problem.safeForTerminal, .error)) }
    return rows
  }

  private static func modes(_ modes: PlayerStatus.Modes) -> String {
    ModeText.words(modes).map(\.safeForTerminal).joined(separator: ", ")
  }

  private static func title(_ status: PlayerStatus, isASCII: Bool) -> String {
    let symbol = PhaseSign.text(status.phase, isASCII: isASCII)
    return "\(symbol) \(status.song?.title.safeForTerminal ?? "no track")"
  }

  private static func artistAndAlbum(of song: PlayerStatus.Song) -> String? {
    let parts = [song.artist, song.album].compactMap { $0?.safeForTerminal }
    return parts.isEmpty ? nil : "  " + parts.joined(separator: " · ")
  }

  private static func time(_ seconds: Double?) -> String {
    TimeText.text(seconds.flatMap { Duration(reportedSeconds: $0) })
  }

  /// Returns `number` as text, without the fraction if that is zero.
  package static func decimal(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}

/// Describes the modes of the queue in words.
package enum ModeText {
  /// Returns the modes that differ from their defaults, such as "repeat all", "random albums", "single once", "consume"
  /// or "stop after album".
  package static func words(_ modes: QueueModes) -> [String] {
    words(
      repeat: modes.repeat.rawValue, random: modes.random.rawValue, single: modes.single.rawValue,
      consume: modes.consume, stopAfter: modes.stopAfter?.rawValue ?? "off",
      keepPlaying: modes.keepPlaying?.text ?? "off")
  }

  /// Returns the modes of another process that differ from their defaults; not yet escaped for a terminal.
  package static func words(_ modes: PlayerStatus.Modes) -> [String] {
    words(
      repeat: modes.repeat, random: modes.random, single: modes.single, consume: modes.consume,
      stopAfter: modes.stopAfter, keepPlaying: modes.keepPlaying)
  }

  /// Returns the modes, given by the words for their values, that differ from their defaults.
  private static func words(
    repeat: String, random: String, single: String, consume: Bool, stopAfter: String, keepPlaying: String
  )
    -> [String]
  {
    var words: [String] = []
    if `repeat` != "off" { words.append("repeat \(`repeat`)") }
    if random != "off" { words.append("random \(random)") }
    if single != "off" { words.append(single == "on" ? "single" : "single \(single)") }
    if consume { words.append("consume") }
    if stopAfter != "off" { words.append("stop after \(stopAfter)") }
    if keepPlaying != "off" { words.append("keep playing \(keepPlaying)") }
    return words
  }
}

/// Describes audio formats and the signal path in words.
package enum FormatText {
  /// Returns a description such as "16 bits, 44100 Hz, stereo" or "DSD64, stereo". For some formats, "32-bit float" or
  /// "lossy" replaces the number of bits.
  package static func text(_ format: PlayerStatus.Format) -> String {
    let channels =
      format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels) channels"
    if format.bits == 1, let name = DirectStreamDigital.name(ofBitRate: format.sampleRate) {
      return "\(name), \(channels)"
    }
    let isFloat = format.isFloat ?? false
    let samples = format.bits.map { isFloat ? "\($0)-bit float" : "\($0) bits" } ?? "lossy"
    return "\(samples), \(format.sampleRate) Hz, \(channels)"
  }

  /// Returns a bit rate such as "128 kbit/s", rounded.
  static func kilobits(_ bitsPerSecond: Int) -> String {
    "\(Int((Double(bitsPerSecond) / 1_000).rounded())) kbit/s"
  }

  /// Returns "bit-perfect", or the reasons why the output is not.
  package static func path(_ deviations: [String]) -> String {
    deviations.isEmpty
      ? "bit-perfect"
      : "not bit-perfect: " + deviations.map(\.safeForTerminal).joined(separator: "; ")
  }
}

/// Describes a passage that is repeated.
package enum LoopText {
  /// Returns the passage, such as "1:02 to 1:15"; `nil` if none is repeated.
  package static func text(_ status: PlayerStatus) -> String? {
    guard let loop = status.loop else { return nil }
    let time = { (seconds: Double) in TimeText.text(Duration(reportedSeconds: seconds) ?? .zero) }
    return loop.end.map { "\(time(loop.start)) to \(time($0))" } ?? "from \(time(loop.start)), until its end is set"
  }
}

/// Describes the speed.
package enum SpeedText {
  /// Returns the speed, such as "1.5x"; `nil` for the normal one, and if it is not known.
  package static func text(_ speed: Double?) -> String? {
    speed.flatMap { PlaybackSpeed($0) }.flatMap { $0 == .normal ? nil : $0.description }
  }

  /// Returns the speed, such as "1x".
  package static func factor(_ speed: Double) -> String { (PlaybackSpeed(speed) ?? .normal).description }
}

/// Describes chapters in words.
package enum ChapterText {
  /// Returns the title of a chapter with its number, such as "3/12 Title"; not yet escaped for a terminal.
  static func numbered(_ title: String, _ status: PlayerStatus) -> String {
    guard let number = status.chapterNumber, let count = status.chapterCount else { return title }
    return "\(number)/\(count) \(title)"
  }

  /// Returns the beginning of a chapter, such as "1:02:03".
  package static func start(_ chapter: ListedChapter) -> String {
    TimeText.text(Duration(reportedSeconds: chapter.start) ?? .zero)
  }
}

/// The symbol for the playback phase that is shown before a title.
package enum PhaseSign {
  /// Returns the symbol for `phase`, or a word if `isASCII`.
  package static func text(_ phase: PlayerStatus.Phase, isASCII: Bool) -> String {
    if isASCII { return phase.rawValue + ":" }
    switch phase {
    case .playing: return "▶"
    case .paused: return "‖"
    case .stopped: return "■"
    }
  }
}
