// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
import Platform
import PlayerFlow
package import SystemPackage
package import Terminal
import UnicodeText
import UserSettings

/// Searches the library as the user types: a list that narrows with each key, from which one hit is chosen and others
/// can be added to the queue.
///
/// For the main thread.
package final class SearchView {
  private enum Event: Sendable {
    /// The list has changed.
    case output(SearchOutput)
    /// A signal to suspend, continue, or resize.
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
  /// The message about the hit that was added last.
  private var notice: String?

  /// Creates a view of the output of `model`.
  ///
  /// - Parameters:
  ///   - filters: The filters in words, to be shown.
  ///   - context: The context, with the REPL whose signals the view handles.
  ///   - add: Adds a hit to the queue, and returns the message to show.
  /// - Throws: `Errno` if no descriptors are left.
  package init(
    _ model: SearchViewModel, filters: String?, in context: any ViewContext, add: @escaping (SearchHit) -> String
  ) throws(Errno) {
    self.model = model
    palette = context.palette
    signals = context.signals
    isASCII = context.manner.isASCII
    canvas = TerminalCanvas(.output, context.manner)
    self.filters = filters
    self.add = add
    events = try EventQueue()
    output = SearchOutput()
  }

  /// Shows the list until the user chooses a hit, which is returned, or leaves it. Ctrl-C leaves it, too; the signal
  /// stays pending for the code that caught it.
  package func run() -> SearchHit? {
    take()
    guard mode != nil else { return nil }
    defer { giveBack() }
    model.accept(.type(""))
    let subscription = model.observe { [events] in events.post(.output($0)) }
    defer { subscription.cancel() }
    guard let signals else { return choose() }
    return signals.whileDrawing({ [events] in events.post(.signal($0)) }, { choose() })
  }

  /// Takes over the terminal.
  private func take() {
    mode = TerminalMode()
    if mode != nil { canvas.enter() }
  }

  /// Restores the terminal.
  private func giveBack() {
    if mode != nil { canvas.leave() }
    mode = nil
  }

  private func choose() -> SearchHit? {
    while true {
      draw()
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(.output(let output)): show(output)
      case .event(.signal(.suspend)):
        giveBack()
        ProcessSignal.stopProcess()
        take()
      // The next iteration redraws it.
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
    case .left, .right: break
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

/// The content of the search view: lines that fit the terminal, made from the view model's output and the selection.
struct SearchScreen: Equatable {
  /// The lines from the top; none has more cells than the terminal has columns.
  let lines: [String]

  private static let keys = " select  Enter play  Tab add  Esc close"
  private static let prompt = "/ "

  /// Creates the screen for a terminal of `size`, with the typed `text`, the row `selection` highlighted, and the last
  /// message `notice`. The selected row has the style of a title. Keys are words if `isASCII`.
  init(
    _ output: SearchOutput, text: String, selection: Int, filters: String?, notice: String? = nil,
    size: TerminalSize, palette: Palette = .plain, isASCII: Bool = false
  ) {
    let head =
      [Self.prompt + text.safeForTerminal + "▏"] + (filters.map { ["  \($0.safeForTerminal)"] } ?? [])
    let note = (notice ?? output.note).map { "  \($0.safeForTerminal)" } ?? ""
    let foot = [note, (isASCII ? "  up/down" : "  ↑/↓") + Self.keys]
    let room = max(0, size.rows - head.count - foot.count)
    let rows = output.rows.map { $0.cells.map(\.safeForTerminal) }
    let table = SearchHit.table.lines(rows, columns: max(0, size.columns - 2))
    // Scroll just far enough to keep the selected row visible.
    let first = max(0, min(selection, rows.count - 1) - max(0, room - 1))
    let body = table.enumerated().dropFirst(first).prefix(room).map { index, line in
      (index == selection ? "> " : "  ") + line
    }
    let chosen = head.count + selection - first
    lines = (head + body + foot).prefix(size.rows).enumerated().map { row, line in
      let line = line.truncated(toCells: size.columns)
      return row == chosen && !body.isEmpty ? palette[.title].applied(to: line) : line
    }
  }
}

/// The row of a search hit.
extension SearchHit {
  /// The layout of the columns.
  package static var table: Table { Table(alignments: [.left, .left, .left, .right], flexible: [1, 2]) }

  /// The cells: kind, name and more, not yet safe for a terminal.
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
