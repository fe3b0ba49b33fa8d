import QueueFlow
import UnicodeText

/// What a player does, as lines.
enum StatusListing {
  /// The lines; with `columns`, none is wider.
  static func lines(_ status: PlayerStatus, columns: Int?) -> [String] {
    var lines = [title(status)]
    if let origin = status.song.flatMap({ origin(of: $0) }) { lines.append(origin) }
    var rows: [(String, String)] = []
    if status.phase != .stopped {
      let place = status.queuePosition.map { "\($0 &+ 1)/\(status.queueCount)" } ?? "-"
      rows.append(("time", "\(time(status.elapsed)) of \(time(status.song?.seconds)), track \(place)"))
    }
    if let next = status.next {
      let artist = next.artist.map { " · \($0.safeForTerminal)" } ?? ""
      rows.append(("next", next.title.safeForTerminal + artist))
    }
    if let modes = status.modes.map(modes), !modes.isEmpty { rows.append(("modes", modes)) }
    if let source = status.source { rows.append(("file", text(source))) }
    if let output = status.output {
      let latency = output.latency > 0 ? ", \(decimal((output.latency * 1000).rounded())) ms buffer" : ""
      rows.append(("output", "\(output.name.safeForTerminal), \(text(output.format))\(latency)"))
    }
    if let deviations = status.deviations { rows.append(("path", path(deviations))) }
    rows.append(("volume", "\(status.volume) %"))
    if status.replayGain != "off" { rows.append(("ReplayGain", status.replayGain)) }
    if status.crossfade > 0 { rows.append(("crossfade", "\(decimal(status.crossfade)) s")) }
    if let sleep = status.sleep { rows.append(("sleep", "in \(time(sleep))")) }
    if status.underruns > 0 { rows.append(("underruns", "\(status.underruns)")) }
    if let problem = status.problem { rows.append(("output", problem.safeForTerminal)) }
    lines += rows.map { "  \($0.0.padded(toCells: 10))  \($0.1)" }
    return lines.map { line in columns.map { line.truncated(toCells: $0) } ?? line }
  }

  private static func modes(_ modes: PlayerStatus.Modes) -> String {
    ModeText.words(
      repeat: modes.repeat, random: modes.random, single: modes.single, consume: modes.consume,
      stopAfter: modes.stopAfter
    ).map(\.safeForTerminal).joined(separator: ", ")
  }

  private static func title(_ status: PlayerStatus) -> String {
    let symbol = status.phase == .playing ? "▶" : status.phase == .paused ? "‖" : "■"
    return "\(symbol) \(status.song?.title.safeForTerminal ?? "nothing")"
  }

  private static func origin(of song: PlayerStatus.Song) -> String? {
    let parts = [song.artist, song.album].compactMap { $0?.safeForTerminal }
    return parts.isEmpty ? nil : "  " + parts.joined(separator: " · ")
  }

  private static func path(_ deviations: [String]) -> String {
    deviations.isEmpty
      ? "bit-perfect"
      : "not bit-perfect: " + deviations.map(\.safeForTerminal).joined(separator: "; ")
  }

  private static func text(_ format: PlayerStatus.Format) -> String {
    let channels =
      format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels) channels"
    return "\(format.bits.map { "\($0) bits" } ?? "lossy"), \(format.sampleRate) Hz, \(channels)"
  }

  private static func time(_ seconds: Double?) -> String {
    TimeText.text(seconds.flatMap { $0 >= 0 && $0 < 1e9 ? .seconds($0) : nil })
  }

  /// `number` without a fraction of zero.
  static func decimal(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}
