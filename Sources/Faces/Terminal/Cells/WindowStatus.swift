// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// What the window of a terminal shows about the program: its title, and a progress on its tab or in the taskbar.
package struct WindowStatus: Equatable, Sendable {
  /// The progress.
  package struct Progress: Equatable, Sendable {
    /// From 0 to 100.
    package var percent: Int
    package var isPaused: Bool

    package init(percent: Int, isPaused: Bool) {
      self.percent = percent
      self.isPaused = isPaused
    }
  }

  /// Saves the title of the window, and restores it (XTWINOPS).
  static let (saveTitle, restoreTitle) = ("\u{1B}[22;2t", "\u{1B}[23;2t")
  private static let titleLimit = 200

  /// The title; not yet escaped for a terminal.
  package var title: String
  /// The progress; `nil` to show none.
  package var progress: Progress?

  package init(title: String, progress: Progress? = nil) {
    self.title = title
    self.progress = progress
  }

  /// Returns whether a terminal of the type `$TERM` has a title, and whose sequences for it are ignored if it does not
  /// show one.
  package static func hasTitle(_ type: String?) -> Bool {
    ["xterm", "tmux", "foot", "alacritty", "rxvt", "konsole", "ghostty", "wezterm", "contour", "mlterm", "st-"].contains
    {
      type?.hasPrefix($0) == true
    }
  }

  /// Returns the output that shows this status in place of `old`; empty if there is no difference.
  func text(replacing old: WindowStatus?) -> String {
    var text = ""
    if title != old?.title { text += "\u{1B}]2;" + title.safeForTerminal.prefix(Self.titleLimit) + "\u{1B}\\" }
    if progress != old?.progress {
      let state = progress.map { "\($0.isPaused ? 4 : 1);\(max(0, min($0.percent, 100)))" } ?? "0;0"
      text += "\u{1B}]9;4;\(state)\u{1B}\\"
    }
    return text
  }
}
