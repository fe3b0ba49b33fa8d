// SPDX-License-Identifier: GPL-3.0-or-later

/// How a full screen was opened, and how it behaves because of that.
package struct ScreenOpening {
  /// What the key for quitting does.
  package enum Quitting: Sendable {
    /// It leaves the screen, and the player continues.
    case leave
    /// It stops the music, which ends the player.
    case stop
    /// It ends the player, after a question if music plays.
    case ask
  }

  /// The screen to begin with; `nil` for what is playing or, if nothing is, the albums.
  package var screen: Screen?
  package var quitting: Quitting
  /// Whether going back also leaves the screen with which it was opened.
  package var isLeftByGoingBack = false
  /// Whether the messages are printed on standard error when the screen is left, since nobody else reports them.
  package var printsMessages = false
  /// Whether the library is opened, and the terminal queried, only after the first sound.
  package var waitsForSound = false

  /// Whether the screen takes a few lines below the prompt, and not the whole terminal.
  let isInline: Bool

  package init(_ screen: Screen?, quitting: Quitting, isInline: Bool = false) {
    self.screen = screen
    self.quitting = quitting
    self.isInline = isInline
  }
}
