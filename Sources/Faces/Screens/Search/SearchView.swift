// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
import Platform
import PlayerFlow
package import SystemPackage
package import Terminal
import UnicodeText
import UserSettings

/// Searches the library while the user types. The user can choose one hit, and add others to the queue.
///
/// Used on the main thread.
package final class SearchView {
  private enum Event: Sendable {
    /// The list of hits has changed.
    case output(SearchOutput)
    /// The process should suspend or has been resumed, or the window was resized.
    case signal(ProcessSignal)
  }

  private let model: SearchViewModel
  private let filters: String?
  private let palette: Palette
  private let add: (SearchHit) -> String
  private let events: EventQueue<Event>
  private let signals: ReplSignals?
  private let isASCII: Bool
  private let canvas: TerminalCanvas
  private var mode: TerminalMode?
  private var parser = KeyParser()
  private var output: SearchOutput
  private var text = ""
  private var selection = 0
  /// The message about the last hit that was added to the queue.
  private var notice: String?

  /// Creates a view of the search `model`.
  ///
  /// - Parameters:
  ///   - filters: The active filters in words; `nil` if there are none.
  ///   - context: The context of the view. If it is in a REPL, the view handles the REPL's terminal signals.
  ///   - add: Adds a hit to the queue, and returns a message to show.
  /// - Throws: `Errno` if no descriptor is available.
  package init(
    _ model: SearchViewModel, filters: String?, in context: any ViewContext, add: @escaping (SearchHit) -> String
  ) throws(Errno) {
    self.model = model
    palette = context.palette
    signals = context.signals
    isASCII = context.outputStyle.isASCII
    canvas = TerminalCanvas(.output, context.outputStyle)
    self.filters = filters
    self.add = add
    events = try EventQueue()
    output = SearchOutput()
  }

  /// Shows the list until the user chooses a hit, and returns that hit; `nil` if the user leaves the search. Ctrl-C
  /// leaves it, too, and its signal stays pending for the REPL.
  package func run() -> SearchHit? {
    takeOverTerminal()
    guard mode != nil else { return nil }
    defer { restoreTerminal() }
    model.accept(.type(""))
    let subscription = model.observe { [events] in events.post(.output($0)) }
    defer { subscription.cancel() }
    guard let signals else { return choose() }
    return signals.whileDrawing({ [events] in events.post(.signal($0)) }, { choose() })
  }

  private func takeOverTerminal() {
    mode = TerminalMode()
    if mode != nil { canvas.enter() }
  }

  private func restoreTerminal() {
    if mode != nil { canvas.leave() }
    mode = nil
  }

  private func choose() -> SearchHit? {
    while true {
      draw()
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(.output(let output)): show(output)
      case .event(.signal(.suspend)):
        restoreTerminal()
        ProcessSignal.stopProcess()
        takeOverTerminal()
      // The next iteration redraws the list.
      case .event(.signal): break
      case .interrupted: if signals?.caughtSignal != nil { return nil }
      case .inputEnded: return nil
      case .input(let bytes):
        for key in parser.keysAndEscape(bytes) {
          switch handle(key) {
          case .stay: break
          case .leave: return nil
          case .choose(let hit): return hit
          }
        }
      }
    }
  }

  private enum Step {
    case stay
    case leave
    case choose(SearchHit)
  }

  private func handle(_ key: Key) -> Step {
    switch key {
    case .character(let character): type(text + String(character))
    case .backspace: if text.isEmpty { return .leave } else { type(String(text.dropLast())) }
    case .up: selection = max(0, selection - 1)
    case .down: moveDown()
    case .enter: if output.rows.indices.contains(selection) { return .choose(output.rows[selection]) }
    case .escape: return .leave
    case .tab: if output.rows.indices.contains(selection) { notice = add(output.rows[selection]) }
    case .left, .right, .backTab, .delete, .home, .end, .pageUp, .pageDown, .control, .function: break
    }
    return .stay
  }

  private func type(_ text: String) {
    self.text = text
    selection = 0
    notice = nil
    model.accept(.type(text))
  }

  private func moveDown() {
    guard selection + 1 < output.rows.count else { return model.accept(.loadMore) }
    selection += 1
  }

  private func show(_ output: SearchOutput) {
    self.output = output
    selection = max(0, min(selection, output.rows.count - 1))
  }

  private func draw() {
    let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    canvas.draw(
      SearchScreen(
        output, text: text, selection: selection, filters: filters, notice: notice, size: size,
        palette: palette, isASCII: isASCII
      ).lines)
  }
}

/// The content of the search view: lines that fit the terminal, composed from the output of the view model and the
/// selection.
struct SearchScreen: Equatable {
  /// The lines from top to bottom. None is wider than the terminal.
  let lines: [String]

  private static let keys = " select  Enter play  Tab add  Esc close"
  private static let prompt = "/ "

  /// Creates the screen for a terminal of `size`, with the text typed so far, and the row `selection` highlighted in
  /// the style of a title. `notice` is the last message. With `isASCII`, keys are shown as words.
  init(
    _ output: SearchOutput, text: String, selection: Int, filters: String?, notice: String? = nil,
    size: TerminalSize, palette: Palette = .plain, isASCII: Bool = false
  ) {
    let head =
      [Self.prompt + text.safeForTerminal + "▏"] + (filters.map { ["  \($0.safeForTerminal)"] } ?? [])
    let note = (notice ?? output.note).map { "  \($0.safeForTerminal)" } ?? ""
    let foot = [note, (isASCII ? "  up/down" : "  ↑/↓") + Self.keys]
    let maxRows = max(0, size.rows - head.count - foot.count)
    let rows = output.rows.map { $0.cells.map(\.safeForTerminal) }
    let table = SearchHit.table.lines(rows, columns: max(0, size.columns - 2))
    // Scroll down only as far as needed to show the selected row.
    let firstRow = max(0, min(selection, rows.count - 1) - max(0, maxRows - 1))
    let body = table.enumerated().dropFirst(firstRow).prefix(maxRows).map { index, line in
      (index == selection ? "> " : "  ") + line
    }
    let selectedRow = head.count + selection - firstRow
    lines = (head + body + foot).prefix(size.rows).enumerated().map { row, line in
      let line = line.truncated(toCells: size.columns)
      return row == selectedRow && !body.isEmpty ? palette[.title].applied(to: line) : line
    }
  }
}

/// The hit as a row of a table.
extension SearchHit {
  /// The columns of a table of hits.
  package static var table: Table { Table(alignments: [.left, .left, .left, .right], flexible: [1, 2]) }

  /// The cells of the row, starting with the kind and the name of the hit. Not yet escaped for a terminal.
  package var cells: [String] {
    switch self {
    case .artist(let artist):
      ["artist", artist.name, "", artist.trackCount == 1 ? "1 track" : "\(artist.trackCount) tracks"]
    case .album(let album):
      ["album", album.title, album.artist ?? "", TimeText.text(album.duration)]
    case .track(let entry):
      [
        "track", entry.track.title, entry.track.artists.joined(separator: ", "),
        TimeText.text(entry.track.duration),
      ]
    }
  }
}
