// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import MusicModel
import Platform
import SystemPackage
import Tagging
import Terminal

/// The pane for the cover of the current track. It asks the terminal how to display pictures, and requests covers that
/// fit. Used on the main thread.
final class CoverPane {
  /// The maximum time in milliseconds to wait for the terminal's answers before a cover is drawn.
  static let timeoutMilliseconds: UInt64 = 150
  /// The maximum time in milliseconds to wait for outstanding answers when the screen is left.
  static let leavingMilliseconds: UInt64 = 1_000
  /// The time in milliseconds after the query during which answers are still looked for in the input.
  private static let answerPeriodMilliseconds: UInt64 = 2_000

  /// The cover to show; `nil` if there is none, or if it has not been drawn yet.
  private(set) var cover: DrawnCover?
  /// The colour of the cover; `nil` if it has none, or the terminal has too few to tell its shades apart.
  var accent: AccentColour? { colours == .sixteen ? nil : cover?.accent }
  private let painter: CoverPainter
  private let drawsSymbols: Bool
  private let colours: TerminalColours
  private var answers = TerminalAnswers()
  private var graphics: TerminalGraphics?
  private var request: CoverPainter.Request?
  private var isQuerySent = false
  private var isTimedOut = false
  /// The time until which answers are looked for in the input; `nil` before the query.
  private var answerDeadline: MonotonicInstant?

  /// Creates a pane without a cover. Covers are drawn by `painter`; as block characters only if `drawsSymbols`.
  init(_ painter: CoverPainter, drawsSymbols: Bool = true) {
    self.painter = painter
    self.drawsSymbols = drawsSymbols
    colours = Self.colours(variable: Environment.value)
  }

  /// Returns the colours that the terminal supports according to environment variables.
  static func colours(variable: (String) -> String?) -> TerminalColours {
    if let text = variable("COLORTERM"), text == "truecolor" || text == "24bit" { return .trueColour }
    let terminal = variable("TERM") ?? ""
    if terminal.contains("direct") { return .trueColour }
    return terminal.contains("256color") || terminal.contains("kitty") ? .indexed256 : .sixteen
  }

  /// Whether answers of the terminal may still arrive: for longer if it has answered before.
  var isAwaitingAnswers: Bool {
    guard let answerDeadline, !answers.isComplete else { return false }
    return answers.isAnswered ? MonotonicInstant.now < answerDeadline : !isTimedOut
  }

  /// Returns the query to send to the terminal; `nil` if it was sent before, or must not be sent. Call
  /// ``endQuery()`` after ``timeoutMilliseconds``.
  func nextQuery() -> String? {
    guard !isQuerySent else { return nil }
    isQuerySent = true
    // The Linux console would print the query instead of answering it.
    guard Environment.value("TERM") != "linux" else {
      graphics = .symbols
      isTimedOut = true
      return nil
    }
    answerDeadline = .now.advanced(byMilliseconds: Self.answerPeriodMilliseconds)
    return TerminalAnswers.query
  }

  /// Extracts the terminal's answers from `bytes`.
  ///
  /// - Returns: The remaining input, to be parsed as keys, and a further query to send, if any.
  func take(_ bytes: [UInt8]) -> (keys: [UInt8], query: String?) {
    guard let answerDeadline, !answers.isComplete, MonotonicInstant.now < answerDeadline else { return (bytes, nil) }
    let keys = answers.take(bytes)
    let query = answers.nextQuery(variable: Environment.value)
    if query != nil { self.answerDeadline = .now.advanced(byMilliseconds: Self.answerPeriodMilliseconds) }
    guard answers.isComplete else { return (keys, query) }
    graphics = answers.graphics(variable: Environment.value)
    return (keys, nil)
  }

  /// Whether the background of the terminal is light; `nil` if that is unknown.
  var hasLightBackground: Bool? { answers.hasLightBackground }

  /// Whether the terminal shows progress on its window.
  var showsProgress: Bool { answers.showsProgress(variable: Environment.value) }

  /// Stops waiting for answers. Covers are drawn by the method known so far.
  func endQuery() {
    isTimedOut = true
    if graphics == nil { graphics = answers.graphics(variable: Environment.value) }
  }

  /// Requests the cover of the track at `path`, fitted into an area of this size. Does nothing if that cover was the
  /// last one requested.
  func requestCover(of path: FilePath, columns: Int, rows: Int) {
    guard let graphics, drawsSymbols || graphics != .symbols else { return }
    let cell = StandardStream.output.terminalCellSize
    let canvas = CoverCanvas(
      columns: columns, rows: rows, graphics: graphics, colours: colours, cellWidth: cell?.width ?? 0,
      cellHeight: cell?.height ?? 0)
    let newRequest = CoverPainter.Request(path: path, canvas: canvas)
    guard newRequest != request else { return }
    // The previous cover may not fit into the new area.
    if newRequest.canvas != request?.canvas { cover = nil }
    request = newRequest
    painter.draw(newRequest)
  }

  /// Shows a cover that has been drawn, unless another one has been requested meanwhile.
  func show(_ drawn: DrawnCover?, for drawnRequest: CoverPainter.Request) {
    if drawnRequest == request { cover = drawn }
  }
}

/// Reads, decodes and draws covers on a thread of its own. A new request replaces one that is still waiting.
package final class CoverPainter: Sendable {
  /// A request to draw a cover.
  package struct Request: Sendable, Hashable {
    /// The file of the track whose cover is drawn.
    let path: FilePath
    let canvas: CoverCanvas
  }

  private let worker = Worker<Request?>(named: "segue-cover", nil)
  private let covers: CoverSource
  private let onDrawn: @Sendable (Request, DrawnCover?) -> Void

  /// Creates a painter of `covers`. It calls `onDrawn` on its thread with the cover for a request, or with `nil` if
  /// there is none.
  init(_ covers: CoverSource, onDrawn: @escaping @Sendable (Request, DrawnCover?) -> Void) {
    self.covers = covers
    self.onDrawn = onDrawn
  }

  deinit { worker.closeWhenIdle() }

  /// Requests a cover, replacing a request that is still waiting. Draws nothing if no thread can be created.
  func draw(_ request: Request) {
    worker.post { $0 = request }
    try? worker.start(taking: { $0.take() }) { [covers, onDrawn] request in
      let picture = covers.picture(of: request.path, limit: DrawnCover.sizeLimit)
      onDrawn(request, picture.flatMap { DrawnCover($0, on: request.canvas) })
    }
  }
}
