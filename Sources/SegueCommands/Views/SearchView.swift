import Flux
import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// Searches the library as one types: a list that narrows with each key, in which one is chosen.
///
/// For the main thread.
final class SearchView {
  private let model: SearchViewModel
  private let filters: String?
  private let events: EventQueue<ListOutput<SearchHit>>
  private let canvas = TerminalCanvas(.output)
  private var parser = KeyParser()
  private var output: ListOutput<SearchHit>
  private var text = ""
  private var selection = 0

  /// A view of what `model` puts out, among what `filters` says in words.
  ///
  /// - Throws: `Errno` where the system has no descriptors left.
  init(_ model: SearchViewModel, filters: String?) throws(Errno) {
    self.model = model
    self.filters = filters
    events = try EventQueue()
    output = ListOutput(title: "", text: "")
  }

  /// Shows the list until one is chosen, which is given, or until the user leaves it, by Ctrl-C too: the signal stays for who caught it.
  func run() -> SearchHit? {
    guard let mode = TerminalMode() else { return nil }
    canvas.enter()
    defer { canvas.leave() }
    model.accept(.type(""))
    let subscription = model.observe { [events] in events.post($0) }
    defer { subscription.cancel() }
    return withExtendedLifetime(mode) { choose() }
  }

  private func choose() -> SearchHit? {
    while true {
      draw()
      switch events.next(orInputFrom: StandardStream.input.descriptor) {
      case .event(let output): show(output)
      case .interrupted, .inputEnded: return nil
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
    case .left, .right, .tab: break
    }
    return .stay
  }

  private func type(_ text: String) {
    self.text = text
    selection = 0
    model.accept(.type(text))
  }

  private func moveDown() {
    guard selection + 1 < output.rows.count else { return model.accept(.loadMore) }
    selection += 1
  }

  private func show(_ output: ListOutput<SearchHit>) {
    self.output = output
    selection = max(0, min(selection, output.rows.count - 1))
  }

  private func draw() {
    let size = StandardStream.output.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    canvas.draw(
      SearchScreen(output, text: text, selection: selection, filters: filters, size: size).lines)
  }
}
