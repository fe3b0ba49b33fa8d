import CEditline
package import PlayerFlow
import UnicodeText

/// The prompt: what plays, and how far it is.
package struct ReplPrompt: Equatable {
  /// The prompt where nothing plays.
  static let idle = "segue> "
  /// The fewest cells that are worth a title.
  private static let smallestTitle = 4
  private static let largestTitle = 60

  /// What libedit shows.
  let text: String
  /// What it says beside the time.
  private let rest: String
  /// The second that it says, where that moves on by itself.
  private let second: Int64?

  /// What a prompt tells of.
  package struct Subject {
    let phase: PlayerStatus.Phase
    let position: Duration
    let title: String

    /// A track of this title, of which so much was heard; `nil` where nothing plays.
    package init?(_ phase: PlayerStatus.Phase, position: Duration, title: String) {
      if phase == .stopped { return nil }
      (self.phase, self.position, self.title) = (phase, position, title)
    }
  }

  /// The prompt for `subject`, on a terminal with so many columns: at most half of them, or what the time takes. Words
  /// of ASCII where `isASCII`.
  package init(_ subject: Subject?, columns: Int, isASCII: Bool) {
    guard let subject else {
      (text, rest, second) = (Self.idle, "", nil)
      return
    }
    let isPlaying = subject.phase == .playing
    let symbol = isPlaying ? (isASCII ? "playing" : "▶") : isASCII ? "paused" : "⏸"
    let head = "\(symbol) \(TimeText.text(subject.position))"
    let room = min(Self.largestTitle, columns / 2 - head.cellWidth - 3)
    let name = Self.shown(subject.title, isASCII: isASCII)
    let cut =
      room < Self.smallestTitle ? "" : isASCII ? Self.cut(name, to: room) : name.truncated(toCells: room)
    text = head + (cut.isEmpty ? "" : " " + cut) + "> "
    rest = symbol + cut
    second = isPlaying ? subject.position.components.seconds : nil
  }

  /// The prompt for `state`, in which the track of this title is current, or is asked for.
  package init(_ state: PlaybackState, title: String?, columns: Int, isASCII: Bool) {
    let subject = Subject(PlayerStatus.Phase(state.phase), position: state.position, title: title ?? "")
    self.init(subject, columns: columns, isASCII: isASCII)
  }

  /// Whether it is what `other` becomes by itself while the music plays on.
  func follows(_ other: ReplPrompt) -> Bool {
    guard rest == other.rest, let second, let otherSecond = other.second else { return false }
    return second &- otherSecond == 1
  }

  /// The title as libedit can count its cells: without what takes none.
  private static func shown(_ title: String, isASCII: Bool) -> String {
    var text = String.UnicodeScalarView()
    for scalar in title.safeForTerminal.unicodeScalars {
      if isASCII {
        text.append(scalar.isASCII ? scalar : "?")
      } else if segue_el_cells(wchar_t(bitPattern: scalar.value)) > 0 {
        text.append(scalar)
      }
    }
    return String(text)
  }

  private static func cut(_ name: String, to room: Int) -> String {
    name.count <= room ? name : name.prefix(room - 3) + "..."
  }
}

/// A prompt where C finds it.
@safe
final class PromptText {
  private static let capacity = 1024

  /// Its first byte; behind the last is a NUL.
  let start: UnsafeMutablePointer<CChar>

  /// An empty prompt.
  init() {
    unsafe start = .allocate(capacity: Self.capacity)
    unsafe start.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Makes it `text`, or as much of it as there is room for.
  func set(_ text: String) {
    let bytes = text.utf8.count < Self.capacity ? text : ReplPrompt.idle
    for (index, byte) in bytes.utf8.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.utf8.count] = 0
  }
}
