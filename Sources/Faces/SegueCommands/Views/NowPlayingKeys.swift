import UnicodeText

/// The keys of the now-playing view, as lines.
enum NowPlayingKeys {
  /// What `q` does.
  enum Ending: Equatable {
    /// It ends the player.
    case quit
    /// It leaves the view, and the player goes on.
    case leave
  }

  private static let gap = "  "

  /// All keys where `isWhole`, or else those that one has to know: as many to a line as `cells` have room for.
  static func lines(
    _ bindings: KeyBindings, isWhole: Bool, _ ending: Ending, cells: Int, isASCII: Bool = false
  ) -> [String] {
    let quit = ending == .quit ? "quit" : "leave"
    guard isWhole else { return [bindings.mainItems(quit: quit, isASCII: isASCII).joined(separator: gap)] }
    var lines: [String] = []
    for item in bindings.items(quit: quit, isASCII: isASCII) {
      if let last = lines.last, (last + gap + item).cellWidth <= cells {
        lines[lines.count - 1] = last + gap + item
      } else {
        lines.append(item)
      }
    }
    return lines
  }
}
