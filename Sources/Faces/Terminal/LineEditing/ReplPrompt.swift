// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
package import PlayerFlow
import UnicodeText

/// The prompt of the REPL, which shows the playback state, the elapsed time and the title of the current track.
package struct ReplPrompt: Equatable {
  /// The prompt while playback is stopped.
  static let idle = "segue> "
  /// The minimum number of cells for a title. With less room, the title is omitted.
  private static let minTitleWidth = 4
  /// The maximum number of cells for a title.
  private static let maxTitleWidth = 60

  let text: String
  /// The parts of the text other than the elapsed time.
  private let rest: String
  /// The elapsed time shown, in whole seconds; `nil` unless a track is playing.
  private let second: Int64?

  /// The playback state, position and title that a prompt shows.
  package struct Subject {
    let phase: PlayerStatus.Phase
    let position: Duration
    let title: String

    /// Creates the subject of a prompt for a track with this title and elapsed time. Returns `nil` if `phase` is
    /// `stopped`.
    package init?(_ phase: PlayerStatus.Phase, position: Duration, title: String) {
      if phase == .stopped { return nil }
      (self.phase, self.position, self.title) = (phase, position, title)
    }
  }

  /// Creates the prompt for `subject`; `nil` means that playback is stopped. The prompt takes at most half of
  /// `columns`, except that the elapsed time is never omitted. With `isASCII`, words replace the symbols.
  package init(_ subject: Subject?, columns: Int, isASCII: Bool) {
    guard let subject else {
      (text, rest, second) = (Self.idle, "", nil)
      return
    }
    let isPlaying = subject.phase == .playing
    let symbol = isPlaying ? (isASCII ? "playing" : "▶") : isASCII ? "paused" : "⏸"
    let head = "\(symbol) \(TimeText.text(subject.position))"
    let titleWidth = min(Self.maxTitleWidth, columns / 2 - head.cellWidth - 3)
    let fullTitle = Self.displayableTitle(subject.title, isASCII: isASCII)
    let title =
      titleWidth < Self.minTitleWidth
      ? "" : isASCII ? Self.truncated(fullTitle, to: titleWidth) : fullTitle.truncated(toCells: titleWidth)
    text = head + (title.isEmpty ? "" : " " + title) + "> "
    rest = symbol + title
    second = isPlaying ? subject.position.components.seconds : nil
  }

  /// Creates the prompt for `state`. `title` is that of the current or requested track.
  package init(_ state: PlaybackState, title: String?, columns: Int, isASCII: Bool) {
    let subject = Subject(state.phase, position: state.position, title: title ?? "")
    self.init(subject, columns: columns, isASCII: isASCII)
  }

  /// Creates a prompt that asks a short question.
  init(question: String) { (text, rest, second) = (question, "", nil) }

  /// Returns whether this prompt shows the second after the one that `other` shows, and is otherwise equal.
  func follows(_ other: ReplPrompt) -> Bool {
    guard rest == other.rest, let second, let otherSecond = other.second else { return false }
    return second &- otherSecond == 1
  }

  /// Returns the title without zero-width characters, because libedit cannot measure them.
  private static func displayableTitle(_ title: String, isASCII: Bool) -> String {
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

  /// Returns `title`, which has only ASCII characters, truncated to `width` cells.
  private static func truncated(_ title: String, to width: Int) -> String {
    title.count <= width ? title : title.prefix(width - 3) + "..."
  }
}

/// A prompt in memory that C code can read.
@safe
final class PromptText {
  private static let capacity = 1024

  /// The first byte of the text, which ends with a NUL.
  let start: UnsafeMutablePointer<CChar>

  /// Creates an empty text.
  init() {
    unsafe start = .allocate(capacity: Self.capacity)
    unsafe start.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Sets the text. If it is too long, the idle prompt is used instead.
  func set(_ text: String) {
    let bytes = (text.utf8.count < Self.capacity ? text : ReplPrompt.idle).utf8
    for (index, byte) in bytes.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.count] = 0
  }
}
