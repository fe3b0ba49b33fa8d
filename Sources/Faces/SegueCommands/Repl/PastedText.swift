/// What was pasted, as the terminal marks it: nothing of it is a key.
struct PastedText {
  /// The most characters that are kept.
  static let limit = 1 << 16
  private static let end = Array("\u{1B}[201~".unicodeScalars)

  private var scalars: [Unicode.Scalar] = []
  /// Whether its end was seen.
  private(set) var isOver = false

  /// Adds a character that the terminal sends.
  mutating func take(_ scalar: Unicode.Scalar) {
    scalars.append(scalar)
    if scalar == "~", scalars.suffix(Self.end.count).elementsEqual(Self.end) {
      scalars.removeLast(Self.end.count)
      isOver = true
    } else if scalars.count > Self.limit + Self.end.count {
      // The end may have begun.
      scalars.remove(at: Self.limit)
    }
  }

  /// What is put into the line: without control characters, ends of lines only between lines.
  var text: String {
    var text = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in scalars.prefix(Self.limit) {
      switch scalar.value {
      case 0x0A where last == "\r": break
      case 0x0A, 0x0D: text.append("\n")
      case 0x09: text.append(" ")
      case 0x00...0x1F, 0x7F...0x9F: break
      default: text.append(scalar)
      }
      last = scalar
    }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
