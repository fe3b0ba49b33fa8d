// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import Tagging
import UnicodeText

/// A text comparison of a filter, prepared for comparing many strings. Use it on one thread only.
///
/// If matching a regular expression takes too long, the matcher gives up; see ``isIncomplete``.
public final class TextMatcher {
  /// The maximum CPU time for matching a regular expression in one query.
  private static let patternTime: Duration = .seconds(2)
  /// The number of strings between two checks of the CPU time. The time is also checked when a single string takes too
  /// many steps.
  private static let checkDistance = 64

  private enum Folding { case none, ofCase, ofCaseAndDiacritics }

  private let comparison: TrackFilter.Comparison
  private let folding: Folding
  private let wanted: [UInt8]
  private var folder = CaseFolder()
  private let expression: RegularExpression?
  private var textCount = 0
  private var deadline: Duration?
  /// Whether some strings were not compared, because matching them would have taken too long.
  public private(set) var isIncomplete = false

  /// Creates a matcher that compares values with `text`.
  public init(
    _ comparison: TrackFilter.Comparison, _ text: String, ignoresCase: Bool, ignoresDiacritics: Bool = false
  ) {
    self.comparison = comparison
    if comparison == .matches {
      folding = .none
      wanted = []
      // An invalid expression matches nothing; callers validate patterns before they create a filter.
      expression = try? RegularExpression(text, ignoresCase: ignoresCase)
      return
    }
    expression = nil
    folding = !ignoresCase ? .none : ignoresDiacritics ? .ofCaseAndDiacritics : .ofCase
    let folded =
      switch folding {
      case .none: text
      case .ofCase: text.caseFolded
      case .ofCaseAndDiacritics: text.foldedForMatching
      }
    wanted = Array(folded.utf8)
  }

  /// Returns a one-line description of the syntax error in a regular expression, or `nil` if it is valid.
  public static func problem(ofPattern pattern: String) -> String? {
    do throws(RegularExpression.SyntaxError) {
      _ = try RegularExpression(pattern)
      return nil
    } catch {
      return error.description
    }
  }

  /// Whether `value` matches.
  public func matches(_ value: String) -> Bool {
    unsafe Array(value.utf8).withUnsafeBytes { unsafe matchesAny(of: $0) }
  }

  /// Whether any of the values in `bytes`, which are separated by U+001F, matches.
  func matchesAny(of bytes: UnsafeRawBufferPointer) -> Bool {
    switch folding {
    case .none: return unsafe matchesAny(folded: bytes)
    case .ofCase: return unsafe folder.withFolded(bytes) { unsafe matchesAny(folded: $0) }
    case .ofCaseAndDiacritics:
      return unsafe bytes.split(separator: Self.separator).contains { value in
        let folded = unsafe String(decoding: value, as: UTF8.self).foldedForMatching
        return unsafe Array(folded.utf8).withUnsafeBytes { unsafe matchesAny(folded: $0) }
      }
    }
  }

  private static let separator: UInt8 = 0x1F

  /// Whether any of these folded values, which are separated by U+001F, matches.
  private func matchesAny(folded bytes: UnsafeRawBufferPointer) -> Bool {
    if comparison == .contains { return unsafe bytes.contains(bytes: wanted) }
    var start = 0
    while true {
      var end = start
      while end < bytes.count, unsafe bytes[end] != Self.separator { end += 1 }
      let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if unsafe matches(folded: value) { return true }
      if end == bytes.count { return false }
      start = end + 1
    }
  }

  private func matches(folded value: UnsafeRawBufferPointer) -> Bool {
    switch comparison {
    case .equals: unsafe value.count == wanted.count && value.elementsEqual(wanted)
    case .begins: unsafe value.count >= wanted.count && value.starts(with: wanted)
    case .contains: unsafe value.contains(bytes: wanted)
    case .matches: unsafe matchesExpression(value)
    }
  }

  private func matchesExpression(_ value: UnsafeRawBufferPointer) -> Bool {
    guard !isIncomplete else { return false }
    guard let outcome = unsafe expression?.match(value) else { return false }
    textCount += 1
    if outcome == .tooCostly || textCount.isMultiple(of: Self.checkDistance) {
      let now = ProcessorTime.ofThisThread
      let end = deadline ?? now + Self.patternTime
      deadline = end
      // A text that takes too many steps is left undecided, so the result is incomplete, too.
      if now > end || outcome == .tooCostly { isIncomplete = true }
    }
    return outcome == .matches
  }
}

/// SQL functions that compare text by using a ``TextMatcher`` that is bound to a parameter.
enum TextFunctions {
  /// Registers these functions on a connection:
  ///
  /// - `segue_compares(MATCHER, TEXT, ...)`: whether any value in the TEXT arguments matches. The values in an argument
  ///   are separated by U+001F.
  /// - `segue_tag_compares(MATCHER, TAGS, KIND)`: whether any tag of this kind in the column `tags` matches, or any tag
  ///   at all if KIND is NULL.
  static func add(to database: Database) throws {
    try SQLFunction.add("segue_compares", to: database) { arguments in
      guard arguments.count > 0, let matcher = arguments[0].matcher else { return 0 }
      let isMatch = (1..<arguments.count).contains { index in
        unsafe arguments[index].text.map { unsafe matcher.matchesAny(of: $0) } ?? false
      }
      return isMatch ? 1 : 0
    }
    try SQLFunction.add("segue_tag_compares", count: 3, to: database) { arguments in
      guard let matcher = arguments[0].matcher, let tags = unsafe arguments[1].text else { return 0 }
      var wanted: Int64?
      if case .integer(let kind) = arguments[2].stored { wanted = kind }
      var isMatch = false
      unsafe TagJSONReader.read(tags) { kind, value in
        if !isMatch, wanted == nil || wanted == Int64(kind.rawValue) { isMatch = unsafe matcher.matchesAny(of: value) }
      }
      return isMatch ? 1 : 0
    }
  }
}
