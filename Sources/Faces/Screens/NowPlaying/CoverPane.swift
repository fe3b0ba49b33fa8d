// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import MusicModel
import Platform
import SystemPackage
import Tagging
import Terminal

/// The cover beside the current track: queries the terminal's support for pictures, and requests covers that fit. For
/// the main thread.
final class CoverPane {
  /// The time in milliseconds that the terminal has to answer.
  static let patience: UInt64 = 150
  /// The time in milliseconds during which input may still be a late answer.
  private static let lateness: UInt64 = 2_000
  private static let fewestColumns = 60
  private static let fewestRows = 8
  private static let mostRows = 24

  /// The cover that is shown.
  private(set) var cover: DrawnCover?
  private let painter: CoverPainter
  private let drawsSymbols: Bool
  private let colours: TerminalColours
  private var answers = TerminalAnswers()
  private var graphics: TerminalGraphics?
  private var wish: CoverPainter.Wish?
  private var isAsked = false
  private var isDue = false
  /// The time until which input may be an answer.
  private var end: MonotonicInstant?

  /// Creates a pane without a cover, with covers drawn by `painter`; non-ASCII characters are used only if
  /// `drawsSymbols`.
  init(_ painter: CoverPainter, drawsSymbols: Bool = true) {
    self.painter = painter
    self.drawsSymbols = drawsSymbols
    colours = Self.colours(variable: Environment.value)
  }

  /// Returns the colours that environment variables promise.
  static func colours(variable: (String) -> String?) -> TerminalColours {
    if let text = variable("COLORTERM"), text == "truecolor" || text == "24bit" { return .trueColour }
    let terminal = variable("TERM") ?? ""
    if terminal.contains("direct") { return .trueColour }
    return terminal.contains("256color") || terminal.contains("kitty") ? .indexed256 : .sixteen
  }

  /// Whether answers are still expected.
  var isAwaitingAnswers: Bool { isAsked && !isDue && !answers.isComplete }

  /// Queries the terminal, once; returns the query to send. ``answersAreDue()`` must be called ``patience``
  /// milliseconds later.
  func ask() -> String? {
    guard !isAsked else { return nil }
    isAsked = true
    // The Linux console would print the query.
    guard Environment.value("TERM") != "linux" else {
      graphics = .symbols
      isDue = true
      return nil
    }
    end = .now.advanced(byMilliseconds: Self.lateness)
    return TerminalAnswers.question
  }

  /// Extracts the answers from the terminal's input; returns the remaining input, whether the cover must be drawn in
  /// another way, and a further query to send, if any.
  func take(_ bytes: [UInt8]) -> (keys: [UInt8], isChanged: Bool, question: String?) {
    guard let end, !answers.isComplete, MonotonicInstant.now < end else { return (bytes, false, nil) }
    let keys = answers.take(bytes)
    let question = answers.furtherQuestion(variable: Environment.value)
    guard answers.isComplete else { return (keys, false, question) }
    let before = graphics
    graphics = answers.graphics(variable: Environment.value)
    return (keys, graphics != before, nil)
  }

  /// Ends waiting for answers.
  func answersAreDue() {
    isDue = true
    if graphics == nil { graphics = answers.graphics(variable: Environment.value) }
  }

  /// Requests the cover of the track at `path`, sized to fit beside the text in a terminal of `size`, unless it was
  /// requested already.
  func want(_ path: FilePath, in size: TerminalSize) {
    guard let graphics, drawsSymbols || graphics != .symbols else { return }
    guard let canvas = Self.canvas(in: size, graphics, colours, cell: StandardStream.output.terminalCellSize)
    else {
      cover = nil
      wish = nil
      return
    }
    let wanted = CoverPainter.Wish(path: path, canvas: canvas)
    guard wanted != wish else { return }
    // A cover of another size may not fit.
    if wanted.canvas != wish?.canvas { cover = nil }
    wish = wanted
    painter.draw(wanted)
  }

  /// Returns the area beside the text in a terminal of `size`, or `nil` if there is no room.
  static func canvas(
    in size: TerminalSize, _ graphics: TerminalGraphics, _ colours: TerminalColours,
    cell: (width: Int, height: Int)?
  ) -> CoverCanvas? {
    guard size.columns >= fewestColumns, size.rows >= fewestRows else { return nil }
    let rows = min(size.rows - 1, size.columns / 6, mostRows)
    return CoverCanvas(
      columns: size.columns / 3, rows: rows, graphics: graphics, colours: colours,
      cellWidth: cell?.width ?? 0, cellHeight: cell?.height ?? 0)
  }

  /// Shows a drawn cover, if it is still the requested one.
  func show(_ drawn: DrawnCover?, for drawnWish: CoverPainter.Wish) {
    if drawnWish == wish { cover = drawn }
  }
}

/// Reads, decodes and draws covers on its own thread; of several waiting requests, only the last.
package final class CoverPainter: Sendable {
  /// A request for a cover.
  package struct Wish: Sendable, Hashable {
    /// The file of the track.
    let path: FilePath
    let canvas: CoverCanvas
  }

  private let worker = Worker<Wish?>(named: "segue-cover", nil)
  private let onDrawn: @Sendable (Wish, DrawnCover?) -> Void

  /// Creates a painter that calls `onDrawn` on its thread with the drawn cover, or with `nil` if there is none.
  init(onDrawn: @escaping @Sendable (Wish, DrawnCover?) -> Void) { self.onDrawn = onDrawn }

  deinit { worker.closeWhenIdle() }

  /// Draws the requested cover instead of a waiting one; if no thread can be created, nothing.
  func draw(_ wish: Wish) {
    worker.post { $0 = wish }
    try? worker.start(taking: { $0.take() }) { [onDrawn] wish in
      let picture = CoverFile.picture(of: wish.path, limit: DrawnCover.sizeLimit)
      onDrawn(wish, picture.flatMap { DrawnCover($0, on: wish.canvas) })
    }
  }
}
