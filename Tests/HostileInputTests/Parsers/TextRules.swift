// SPDX-License-Identifier: GPL-3.0-or-later

/// Rules for all texts that the parsers return.
enum TextRules {
  /// Returns the problem in a text, which must be a single line, not empty, and without a space at either end; `nil` if
  /// there is none.
  ///
  /// - Parameter name: The name of the text in the message.
  static func lineProblem(_ text: String?, _ name: String) -> String? {
    guard let text else { return nil }
    if text.isEmpty { return "\(name) is empty" }
    if let scalar = text.unicodeScalars.first(where: isLineBreak) {
      return "\(name) contains U+\(String(scalar.value, radix: 16))"
    }
    if text.first == " " || text.last == " " { return "\(name) begins or ends with a space" }
    return nil
  }

  /// Returns the first problem in several texts.
  static func lineProblem(_ texts: [String], _ name: String) -> String? {
    firstProblem(texts) { lineProblem($0, name) }
  }

  /// Returns the first problem that `check` finds in the elements.
  static func firstProblem<Element>(_ elements: some Sequence<Element>, _ check: (Element) -> String?) -> String? {
    for element in elements { if let problem = check(element) { return problem } }
    return nil
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0, 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
