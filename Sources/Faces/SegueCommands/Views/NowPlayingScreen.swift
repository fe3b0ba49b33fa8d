import AudioCore
import MusicModel
import Platform
import QueueFlow
import SystemPackage
import UnicodeText

/// What the now-playing view shows: lines that fit the terminal, made of a scene, of how it plays, and of what the user
/// asked for.
struct NowPlayingScreen: Equatable {
  /// What is shown besides what plays.
  struct Extras: Equatable {
    /// What the user was told last.
    var notice: String?
    /// Whether all keys are listed.
    var showsKeys = false
    /// Whether levels are shown.
    var showsLevels = false
    /// How loud it is, where anything is heard.
    var levels: SoundLevels?
    /// Whether what is to be played is still looked for.
    var isLookingUp = false
    /// What `q` does.
    var ending = NowPlayingKeys.Ending.quit
    /// Whether signs are of ASCII.
    var isASCII = false
  }

  /// The lines from the top; none has more cells than the terminal has columns.
  let lines: [String]

  /// The screen for a terminal of `size`; `palette` is what it all looks like.
  init(
    scene: PlayingScene?, state: PlayingState, extras: Extras = Extras(), size: TerminalSize,
    bindings: KeyBindings = KeyBindings(), palette: Palette = .plain
  ) {
    let cells = max(0, size.columns - 2)
    var page = ScreenPage(size: size)
    if let scene, let track = scene.track, let position = scene.position {
      let sign = PhaseSign.text(state.phase, isASCII: extras.isASCII)
      page.add(sign + " " + track.title.safeForTerminal, .title)
      if !track.artists.isEmpty {
        page.add("  " + track.artists.joined(separator: ", ").safeForTerminal, .origin)
      }
      let year = track.date.map { " (\($0.year))" } ?? ""
      page.add("  " + (track.album ?? scene.title).safeForTerminal + year, .origin)
      for line in Self.format(of: track, state, cells: cells) {
        page.add("  " + line, .format)
      }
      let progress = ProgressLine.text(
        state, duration: state.duration ?? track.duration, place: "\(position + 1)/\(scene.count)",
        cells: cells)
      page.add("  " + progress, .progress)
      if extras.showsLevels {
        for line in MeterLines.lines(extras.levels, cells: cells) { page.add("  " + line, .levels) }
      }
      let next = Self.next(scene.next, behind: track)
      let modes = ModeText.words(scene.modes)
      if !next.isEmpty || !modes.isEmpty { page.add("", .space) }
      for line in next { page.add("  " + line, .next) }
      if !modes.isEmpty { page.add("  " + modes.joined(separator: "  ").safeForTerminal, .modes) }
    } else {
      page.add(extras.isLookingUp ? (extras.isASCII ? "..." : "…") : "nothing plays", .title)
    }
    page.add("", .space)
    let keys = NowPlayingKeys.lines(
      bindings, isWhole: extras.showsKeys, extras.ending, cells: cells, isASCII: extras.isASCII)
    for line in keys { page.add("  " + line, .keys) }
    if let notice = extras.notice {
      page.add("", .space)
      page.add(notice.safeForTerminal, .notice)
    }
    lines = page.lines(palette)
  }

  /// The format of the file, and whether it comes out bit for bit: on one line where there is room.
  private static func format(of track: Track, _ state: PlayingState, cells: Int) -> [String] {
    guard let source = state.format else { return [] }
    let type = track.path.extension.map { $0.uppercased().safeForTerminal + ", " } ?? ""
    let format = type + FormatText.text(source)
    guard let path = state.deviations.map(FormatText.path) else { return [format] }
    let whole = format + " · " + path
    return whole.cellWidth <= cells ? [whole] : [format, path]
  }

  private static func next(_ tracks: [Track], behind track: Track) -> [String] {
    tracks.enumerated().map { index, next in
      let artists =
        next.artists.isEmpty || next.artists == track.artists
        ? "" : " · " + next.artists.joined(separator: ", ").safeForTerminal
      return (index == 0 ? "next: " : "      ") + next.title.safeForTerminal + artists
    }
  }
}
