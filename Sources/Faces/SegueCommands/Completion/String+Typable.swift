extension String {
  /// The name as a user would type it, which finds the same: without control characters and what turns the direction of
  /// writing. Lines that break, and tabs, are spaces. Empty where it holds what stands for bytes that are no text.
  var typable: String {
    if unicodeScalars.contains("\u{FFFD}") { return "" }
    if unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: text.append(" ")
      case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: break
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
