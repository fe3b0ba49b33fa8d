// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
package import PlayerFlow
import UnicodeText

/// The prompt of the REPL, which shows the playback state, the elapsed time and the title of the current track.
package struct ReplPrompt: Equatable {
  /// The prompt while nothing is playing.
  static let idle = "segue> "
  /// The minimum number of cells for a title. With less room, the title is omitted.
  private static let smallestTitle = 4
  private static let largestTitle = 60

  /// The text of the prompt.
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

    /// Creates the content for a track with this title and elapsed time. Returns `nil` if `phase` is `stopped`.
    package init?(_ phase: PlayerStatus.Phase, position: Duration, title: String) {
      if phase == .stopped { return nil }
      (self.phase, self.position, self.title) = (phase, position, title)
    }
  }

  /// Creates the prompt for `subject`; `nil` stands for no playback. The prompt takes at most half of `columns`, except
  /// that the elapsed time is never omitted. With `isASCII`, words replace the symbols.
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

  /// Creates the prompt for `state`. `title` is that of the current or requested track.
  package init(_ state: PlaybackState, title: String?, columns: Int, isASCII: Bool) {
    let subject = Subject(PlayerStatus.Phase(state.phase), position: state.position, title: title ?? "")
    self.init(subject, columns: columns, isASCII: isASCII)
  }

  /// Returns whether this prompt shows the second after the one that `other` shows, and is otherwise equal.
  func follows(_ other: ReplPrompt) -> Bool {
    guard rest == other.rest, let second, let otherSecond = other.second else { return false }
    return second &- otherSecond == 1
  }

  /// Returns the title without zero-width characters, because libedit cannot measure them.
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

  /// Sets the text. One that is too long is replaced by the idle prompt.
  func set(_ text: String) {
    let bytes = text.utf8.count < Self.capacity ? text : ReplPrompt.idle
    for (index, byte) in bytes.utf8.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.utf8.count] = 0
  }
}
