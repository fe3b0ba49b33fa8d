import CoverDrawing
import MusicModel
import Platform
import SystemPackage
import Tagging
import Terminal

/// The cover beside what plays: asks the terminal how it shows pictures, and has the cover drawn that fits. For the
/// main thread.
final class CoverPane {
  /// How long answers are waited for.
  static let patience: UInt64 = 150
  /// How long what a terminal sends may still be an answer.
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
  /// Until when what comes may be an answer.
  private var end: MonotonicInstant?

  /// A pane without a cover, for which `painter` draws: with characters that are not of ASCII only where it
  /// `drawsSymbols`.
  init(_ painter: CoverPainter, drawsSymbols: Bool = true) {
    self.painter = painter
    self.drawsSymbols = drawsSymbols
    colours = Self.colours(variable: Environment.value)
  }

  /// The colours that these variables of the environment promise.
  static func colours(variable: (String) -> String?) -> TerminalColours {
    if let text = variable("COLORTERM"), text == "truecolor" || text == "24bit" { return .trueColour }
    let terminal = variable("TERM") ?? ""
    if terminal.contains("direct") { return .trueColour }
    return terminal.contains("256color") || terminal.contains("kitty") ? .indexed256 : .sixteen
  }

  /// Whether answers are still waited for.
  var isAwaitingAnswers: Bool { isAsked && !isDue && !answers.isComplete }

  /// Asks the terminal, once; gives what it is to be sent. ``answersAreDue()`` has to follow after ``patience``
  /// milliseconds.
  func ask() -> String? {
    guard !isAsked else { return nil }
    isAsked = true
    // The console of Linux would show the question.
    guard Environment.value("TERM") != "linux" else {
      graphics = .symbols
      isDue = true
      return nil
    }
    end = .now.advanced(byMilliseconds: Self.lateness)
    return TerminalAnswers.question
  }

  /// Takes the answers out of what came from the terminal; gives the rest, whether the cover has to be drawn in another
  /// way, and what the terminal is to be sent now, if anything.
  func take(_ bytes: [UInt8]) -> (keys: [UInt8], isChanged: Bool, question: String?) {
    guard let end, !answers.isComplete, MonotonicInstant.now < end else { return (bytes, false, nil) }
    let keys = answers.take(bytes)
    let question = answers.furtherQuestion(variable: Environment.value)
    guard answers.isComplete else { return (keys, false, question) }
    let before = graphics
    graphics = answers.graphics(variable: Environment.value)
    return (keys, graphics != before, nil)
  }

  /// No answer is waited for any more.
  func answersAreDue() {
    isDue = true
    if graphics == nil { graphics = answers.graphics(variable: Environment.value) }
  }

  /// Has the cover of the track at `path` drawn as it fits beside the text in a terminal of `size`, unless it is
  /// already.
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
    // One of another size may not fit.
    if wanted.canvas != wish?.canvas { cover = nil }
    wish = wanted
    painter.draw(wanted)
  }

  /// The place beside the text in a terminal of `size`, or `nil` where there is none.
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

  /// Shows what was drawn, where it is still wanted.
  func show(_ drawn: DrawnCover?, for drawnWish: CoverPainter.Wish) {
    if drawnWish == wish { cover = drawn }
  }
}

/// Reads, decodes and draws covers on a thread of its own; of several that are asked for meanwhile, the last.
package final class CoverPainter: Sendable {
  /// A cover that is to be drawn.
  package struct Wish: Sendable, Hashable {
    /// The file of the track.
    let path: FilePath
    let canvas: CoverCanvas
  }

  private let worker = Worker<Wish?>(named: "segue-cover", nil)
  private let onDrawn: @Sendable (Wish, DrawnCover?) -> Void

  /// A painter that calls `onDrawn` with what it drew, or with none where there is no cover; on its thread.
  init(onDrawn: @escaping @Sendable (Wish, DrawnCover?) -> Void) { self.onDrawn = onDrawn }

  deinit { worker.closeWhenIdle() }

  /// Draws what is wished for, in place of what waits; where the system grants no thread, nothing.
  func draw(_ wish: Wish) {
    worker.post { $0 = wish }
    try? worker.start(taking: { $0.take() }) { [onDrawn] wish in
      let picture = CoverFile.picture(of: wish.path, limit: DrawnCover.sizeLimit)
      onDrawn(wish, picture.flatMap { DrawnCover($0, on: wish.canvas) })
    }
  }
}
