import QueueFlow

/// An event in words.
enum EventText {
  /// One line, not yet safe for a terminal; `nil` where there is nothing to say.
  static func text(_ event: PlayerEvent, _ manner: TerminalManner = TerminalManner()) -> String? {
    switch event.event {
    case .status:
      guard let status = event.status else { return nil }
      return "\(status.phase.rawValue)" + (status.song.map { ": \(text($0))" } ?? "")
    case .track:
      return event.song.map {
        "\(PhaseSign.text(.playing, isASCII: manner.isPlain || manner.isASCII)) \(text($0))"
      }
    case .state: return event.phase?.rawValue
    case .seek:
      return event.elapsed.flatMap { Duration(reportedSeconds: $0) }.map {
        "at " + (manner.isPlain ? TimeText.words($0) : TimeText.text($0))
      }
    case .queue:
      let count = ItemCount.text(event.queueCount ?? 0, "track")
      return "queue: \(event.edit.map { "\($0), " } ?? "")\(count)"
    case .volume: return event.volume.map { "volume \($0)" }
    case .modes: return event.modes.map(text)
    case .crossfade:
      let albums = event.crossfadeAlbums == true ? ", albums too" : ""
      return event.crossfade.map { $0 > 0 ? "crossfade \(StatusListing.decimal($0)) s\(albums)" : "no crossfade" }
    case .replayGain: return event.replayGain.map { "ReplayGain \($0)" }
    case .outputs:
      guard event.isOutputEnabled != false else { return "the output is disabled" }
      return event.output.map { "output \($0.name), \(FormatText.text($0.format))" } ?? "no output"
    case .playlists: return "the saved lists have changed"
    case .waiting: return "waiting for a player"
    case .scan: return event.scan.map(text)
    case .problem: return event.problem
    case .missed: return "\(event.count ?? 0) events are missing here"
    }
  }

  private static func text(_ song: PlayerStatus.Song) -> String {
    [song.title, song.artist ?? "", song.album ?? ""].filter { !$0.isEmpty }.joined(separator: " - ")
  }

  private static func text(_ modes: PlayerStatus.Modes) -> String {
    "repeat \(modes.repeat), random \(modes.random), single \(modes.single), "
      + "consume \(modes.consume ? "on" : "off"), stop-after \(modes.stopAfter)"
  }

  private static func text(_ scan: PlayerEvent.Scan) -> String {
    guard scan.phase == "ended" else {
      let seen = scan.seen.map { " \($0)" } ?? ""
      return "scan \(scan.phase)\(seen)" + (scan.total.map { " of \($0)" } ?? "")
    }
    let counts = [
      ("added", scan.added), ("changed", scan.changed), ("moved", scan.moved), ("gone", scan.gone),
      ("problems", scan.problems),
    ]
    return "scan ended: " + counts.map { "\($1 ?? 0) \($0)" }.joined(separator: ", ")
  }
}
