// SPDX-License-Identifier: GPL-3.0-or-later

package import SystemPackage
package import Tagging
import Terminal
import UserSettings

/// The lyrics screen: the lyrics of the current track, which follow the music until the user scrolls.
package struct LyricsState: Equatable, Sendable {
  /// What is known about the lyrics of the current track.
  package enum Content: Equatable, Sendable {
    case loading
    case none
    /// There are lyrics, but they cannot be used, for this reason.
    case unusable(String)
    case lyrics(Lyrics)
  }

  /// The lyrics of the current track.
  private(set) var content = Content.none
  /// The first visible line, if the user has scrolled; `nil` while the lines follow the time.
  private(set) var top: Int?

  /// The lines of the lyrics, with a note at the end if there are more.
  var lines: [Lyrics.Line] {
    guard case .lyrics(let lyrics) = content else { return [] }
    return lyrics.lines
      + (lyrics.isCut ? [Lyrics.Line(text: "(\(Lyrics.lineLimit) lines; the rest is not shown)")] : [])
  }

  /// Shows the lyrics of another track.
  package mutating func show(_ content: Content) {
    self.content = content
    top = nil
  }

  /// Shows lyrics that have been read again for the same track.
  package mutating func update(_ content: Content) {
    if content != self.content { show(content) }
  }

  /// Lets the lines follow the time again.
  mutating func follow() { top = nil }

  /// Scrolls by a number of lines.
  mutating func scroll(by lines: Int) { top = max(0, min((top ?? 0) + lines, max(0, self.lines.count - 1))) }

  /// Returns the first visible line at the time `position`, in a view of `height` lines: the line that is sung is in
  /// the upper part of the view.
  func firstLine(at position: Duration, height: Int) -> Int {
    guard case .lyrics(let lyrics) = content else { return 0 }
    let last = max(0, lines.count - height)
    if let top { return min(top, last) }
    guard let current = lyrics.line(at: position) else { return 0 }
    return max(0, min(current - height / 3, last))
  }

  /// Returns when the next line or word is sung after the time `position`; `nil` if none is.
  package func nextChange(after position: Duration) -> Duration? {
    guard case .lyrics(let lyrics) = content, lyrics.isSynced else { return nil }
    let current = lyrics.line(at: position)
    let word = current.flatMap { line in lyrics.lines[line].parts.first { $0.start > position }?.start }
    let next = (current ?? -1) + 1
    return [word, next < lyrics.lines.count ? lyrics.lines[next].start : nil].compactMap { $0 }.min()
  }

  /// Begins to scroll at what is visible at the time `position`.
  package mutating func startScrolling(at position: Duration, height: Int) {
    if top == nil { top = firstLine(at: position, height: height) }
  }
}

extension LyricsState.Content {
  /// Finds the lyrics of the file at `track`. Blocks until the disk has been read.
  package static func find(of track: FilePath) -> Self {
    do throws(LyricsProblem) {
      return try Lyrics.find(of: track, reach: .anywhere).map { .lyrics($0.lyrics) } ?? .none
    } catch {
      return .unusable(error.description)
    }
  }
}

extension LyricsState {
  /// If `input` scrolls the lyrics, begins to scroll at what is visible at the time `position`.
  mutating func prepareScrolling(at position: Duration, _ input: TerminalInput, _ model: FullScreenModel) {
    let height = model.layout.listHeight
    switch input {
    case .mouse(let event) where event.kind == .wheelUp || event.kind == .wheelDown:
      startScrolling(at: position, height: height)
    case .key(let key):
      guard case .target(.action(let action)) = model.bindings.meaning(of: [key]),
        action.step(page: height, half: height / 2, count: lines.count) != nil
      else { return }
      startScrolling(at: position, height: height)
    case .mouse, .paste: break
    }
  }
}
