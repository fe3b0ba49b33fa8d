// SPDX-License-Identifier: GPL-3.0-or-later

extension LibraryQuery: CustomStringConvertible {
  /// The query as text, in the simplest form from which ``LibraryQueryParser`` parses it; empty for ``everything``.
  public var description: String {
    let plain = normalized
    return plain == .everything ? "" : plain.printed(within: .or)
  }

  /// The context in which a subquery is printed, named after the loosest operator that needs no parentheses there.
  private enum Context {
    case or, and, not
  }

  private func printed(within context: Context) -> String {
    switch self {
    case .everything: return "*"
    case .text(let field, let pattern): return pattern.printed(field, isNegated: context == .not)
    case .number(.year, let range): return "year:\(range.decade ?? range.printed { "\($0)" })"
    case .number(.duration, let range): return "duration:\(range.printed { Self.time($0) })"
    case .number(let field, let range): return "\(field.rawValue):\(range.printed { "\($0)" })"
    case .added(let range): return "added:\(range.printed { $0.printed })"
    case .not(let inner): return "-" + inner.printed(within: .not)
    case .all(let parts):
      let text = parts.map { $0.printed(within: .and) }.joined(separator: " ")
      return context == .not ? "(\(text))" : text
    case .any(let parts):
      let text = parts.map { $0.printed(within: .or) }.joined(separator: " or ")
      return context == .or ? text : "(\(text))"
    }
  }

  /// Formats seconds as minutes and seconds ("4:30"), with hours if necessary ("1:02:03").
  private static func time(_ seconds: Int) -> String {
    guard seconds >= 0 else { return "\(seconds)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return minutes < 60
      ? "\(minutes):\(padded(rest))" : "\(minutes / 60):\(padded(minutes % 60)):\(padded(rest))"
  }
}

extension TextPattern {
  fileprivate func printed(_ field: LibraryQuery.TextField, isNegated: Bool) -> String {
    let prefix = field == .anywhere ? "" : field.rawValue + ":"
    switch kind {
    case .exact: return prefix + "=" + quoted
    case .words: return prefix + (isNegated && isPlain ? text : quoted)
    case .beginning:
      guard isPlain else { return prefix + quoted + "*" }
      return prefix + text + (isNegated ? "*" : "")
    }
  }

  /// Whether the text needs no quotation marks: it has only letters, marks, digits and some symbols, does not begin
  /// with a symbol, and is not `or`.
  private var isPlain: Bool {
    text.lowercased() != "or" && text.unicodeScalars.first?.isPlainLetter == true
      && text.unicodeScalars.allSatisfy { $0.isPlainLetter || "'-./&".unicodeScalars.contains($0) }
  }

  private var quoted: String {
    var result = "\"".unicodeScalars
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    result.append("\"")
    return String(result)
  }
}

extension QueryRange where Bound: Equatable {
  fileprivate func printed(_ bound: (Bound) -> String) -> String {
    if let lower, lower == upper { return bound(lower) }
    return (lower.map(bound) ?? "") + ".." + (upper.map(bound) ?? "")
  }
}

extension QueryRange<Int> {
  fileprivate var decade: String? {
    guard let lower, (1000...9990).contains(lower), lower % 10 == 0, upper == lower + 9 else { return nil }
    return "\(lower)s"
  }
}

extension ReleaseDate {
  /// The date as text: "2026", "2026-05" or "2026-05-01".
  fileprivate var printed: String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)" + (month.map { "-" + padded($0) } ?? "") + (day.map { "-" + padded($0) } ?? "")
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      !properties.isWhitespace
    default: false
    }
  }
}
