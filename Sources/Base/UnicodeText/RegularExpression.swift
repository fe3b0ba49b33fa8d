// SPDX-License-Identifier: GPL-3.0-or-later

import CPCRE2

/// A Perl-compatible regular expression, compiled by PCRE2. Only one thread may use it at a time.
///
/// No pattern or text can make it run for long: the steps and the memory of a match are limited, and the result of a
/// match that exceeds a limit is ``Outcome/tooCostly``.
@safe public struct RegularExpression: ~Copyable {
  /// The result of a match.
  public enum Outcome: Sendable, Hashable {
    /// The text, or part of it, matches.
    case matches
    case noMatch
    /// The match needs more steps or memory than permitted.
    case tooCostly
  }

  /// The error that is thrown for an invalid pattern.
  public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error message for the user: one line, in PCRE2's words.
    public let description: String
    /// The offset in the pattern, in bytes, at which the error was detected.
    public let offset: Int
  }

  /// The maximum number of alternatives that a match may try.
  private static let stepLimit: UInt32 = 20_000
  /// The maximum depth of backtracking.
  private static let depthLimit: UInt32 = 2_000
  /// The maximum memory of a match, in KiB.
  private static let memoryLimit: UInt32 = 1_024
  /// The maximum length of a pattern, in bytes.
  private static let lengthLimit = 4_096

  private let code: OpaquePointer
  private let matchData: OpaquePointer
  private let context: OpaquePointer

  /// Compiles `pattern`. A dot matches any character, and classes of letters and digits include all scripts.
  ///
  /// - Throws: ``SyntaxError`` if the pattern is invalid.
  public init(_ pattern: String, ignoresCase: Bool = false) throws(SyntaxError) {
    // An extra byte, so that even an empty pattern has an address.
    let bytes = Array(pattern.utf8) + [0]
    guard bytes.count <= Self.lengthLimit else {
      throw SyntaxError(description: "the pattern is too long", offset: Self.lengthLimit)
    }
    // `\C` could end within a character.
    var options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_DOTALL | PCRE2_NO_AUTO_CAPTURE
      | PCRE2_NEVER_BACKSLASH_C
    if ignoresCase { options |= PCRE2_CASELESS }
    var (error, offset): (Int32, Int) = (0, 0)
    let code = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe pcre2_compile_8(bytes.baseAddress, bytes.count - 1, options, &error, &offset, nil)
    }
    guard let code = unsafe code else {
      throw SyntaxError(description: Self.message(error), offset: offset)
    }
    guard let matchData = unsafe pcre2_match_data_create_8(1, nil) else {
      unsafe pcre2_code_free_8(code)
      throw SyntaxError(description: Self.message(PCRE2_ERROR_NOMEMORY), offset: 0)
    }
    guard let context = unsafe pcre2_match_context_create_8(nil) else {
      unsafe pcre2_match_data_free_8(matchData)
      unsafe pcre2_code_free_8(code)
      throw SyntaxError(description: Self.message(PCRE2_ERROR_NOMEMORY), offset: 0)
    }
    unsafe pcre2_set_match_limit_8(context, Self.stepLimit)
    unsafe pcre2_set_depth_limit_8(context, Self.depthLimit)
    unsafe pcre2_set_heap_limit_8(context, Self.memoryLimit)
    unsafe (self.code, self.matchData, self.context) = unsafe (code, matchData, context)
  }

  deinit {
    unsafe pcre2_match_context_free_8(context)
    unsafe pcre2_match_data_free_8(matchData)
    unsafe pcre2_code_free_8(code)
  }

  /// Searches `text`, which should be UTF-8, for a match.
  public func match(_ text: UnsafeRawBufferPointer) -> Outcome {
    let result: Int32
    if let start = text.baseAddress {
      result = unsafe pcre2_match_8(
        code, start.assumingMemoryBound(to: UInt8.self), text.count, 0, 0, matchData, context)
    } else {
      // An empty text also needs an address.
      result = unsafe withUnsafePointer(to: 0 as UInt8) { unsafe pcre2_match_8(code, $0, 0, 0, 0, matchData, context) }
    }
    if result >= 0 { return .matches }
    switch result {
    case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
      return .tooCostly
    default: return .noMatch
    }
  }

  private static func message(_ code: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe pcre2_get_error_message_8(code, $0.baseAddress, $0.count)
    }
    return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
  }
}
