// SPDX-License-Identifier: GPL-3.0-or-later

import CEditline
package import PlayerFlow
import UnicodeText

/// The REPL's prompt, with the playback state, the elapsed time, and the title.
package struct ReplPrompt: Equatable {
  /// The prompt if nothing plays.
  static let idle = "segue> "
  /// The minimum number of cells for a title; with less room it is omitted.
  private static let smallestTitle = 4
  private static let largestTitle = 60

  /// The text for libedit.
  let text: String
  /// The text without the time.
  private let rest: String
  /// The elapsed second that it shows, during playback.
  private let second: Int64?

  /// The content of a prompt.
  package struct Subject {
    let phase: PlayerStatus.Phase
    let position: Duration
    let title: String

    /// Creates the content for a track with this title and elapsed time; `nil` if nothing plays.
    package init?(_ phase: PlayerStatus.Phase, position: Duration, title: String) {
      if phase == .stopped { return nil }
      (self.phase, self.position, self.title) = (phase, position, title)
    }
  }

  /// Creates the prompt for `subject` on a terminal with `columns` columns. It takes at most half of them, or what the
  /// time needs. It has ASCII words if `isASCII`.
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

  /// Creates the prompt for `state` and the title of the current or requested track.
  package init(_ state: PlaybackState, title: String?, columns: Int, isASCII: Bool) {
    let subject = Subject(PlayerStatus.Phase(state.phase), position: state.position, title: title ?? "")
    self.init(subject, columns: columns, isASCII: isASCII)
  }

  /// Returns whether it only differs from `other` in the next second of playback.
  func follows(_ other: ReplPrompt) -> Bool {
    guard rest == other.rest, let second, let otherSecond = other.second else { return false }
    return second &- otherSecond == 1
  }

  /// Returns the title in a form that libedit can measure: without zero-width characters.
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

/// A prompt in memory that C can read.
@safe
final class PromptText {
  private static let capacity = 1024

  /// Its first byte; the text ends with a NUL.
  let start: UnsafeMutablePointer<CChar>

  /// Creates an empty prompt.
  init() {
    unsafe start = .allocate(capacity: Self.capacity)
    unsafe start.initialize(repeating: 0, count: Self.capacity)
  }

  deinit { unsafe start.deallocate() }

  /// Sets the text; a text that is too long is replaced by the idle prompt.
  func set(_ text: String) {
    let bytes = text.utf8.count < Self.capacity ? text : ReplPrompt.idle
    for (index, byte) in bytes.utf8.enumerated() { unsafe start[index] = CChar(bitPattern: byte) }
    unsafe start[bytes.utf8.count] = 0
  }
}
