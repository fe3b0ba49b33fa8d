/// What holds of every text that the parsers give.
enum TextRules {
  /// What is wrong with a text that is one line, has no white space at its ends and is never empty; `nil` where nothing
  /// is. `name` says which text it is.
  static func lineFault(_ text: String?, _ name: String) -> String? {
    guard let text else { return nil }
    if text.isEmpty { return "\(name) is empty" }
    if let scalar = text.unicodeScalars.first(where: isLineBreak) {
      return "\(name) has U+\(String(scalar.value, radix: 16)) in it"
    }
    if text.first == " " || text.last == " " { return "\(name) has a space at its end" }
    return nil
  }

  /// The first fault of several texts.
  static func lineFault(_ texts: [String], _ name: String) -> String? {
    firstFault(texts) { lineFault($0, name) }
  }

  /// What `check` finds wrong with the first element with which something is wrong.
  static func firstFault<Element>(_ elements: some Sequence<Element>, _ check: (Element) -> String?) -> String? {
    for element in elements { if let fault = check(element) { return fault } }
    return nil
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0, 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
