// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage

@testable import MusicModel
@testable import RemoteControl

enum ProtocolValueCheck {
  /// Returns the problem in argument values, one per line of `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    TextRules.firstProblem(bytes.split(separator: 0x0A).prefix(32)) { line in
      let text = String(decoding: line, as: UTF8.self)
      return rangeProblem(of: text) ?? timeProblem(of: text) ?? codingProblem(of: text, Array(line))
        ?? nameProblem(of: text)
    } ?? permissionProblem(of: String(decoding: bytes, as: UTF8.self))
  }

  private static func rangeProblem(of text: String) -> String? {
    guard let range = try? ProtocolRange(text) else { return nil }
    if range.start < 0 || range.end.map({ $0 < range.start }) ?? false { return "\(range)" }
    for count in [0, 1, 7, .max] where !(0...count).contains(range.clamped(to: count).upperBound) { return "\(range)" }
    _ = try? range.positions(of: 7)
    return nil
  }

  private static func timeProblem(of text: String) -> String? {
    guard let seconds = Timestamp.seconds(text) else { return nil }
    guard let written = Timestamp.text(seconds: seconds) else { return nil }
    return Timestamp.seconds(written) == seconds ? nil : "\(text) is written as \(written), which is another time"
  }

  private static func codingProblem(of text: String, _ bytes: [UInt8]) -> String? {
    let encoded = PercentCoding.encoded(bytes)
    if !encoded.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return "\(encoded) is not a word" }
    if PercentCoding.decoded(encoded[...]) != bytes { return "\(encoded) decodes to other bytes" }
    guard let decoded = PercentCoding.decoded(text[...]) else { return nil }
    if decoded.isEmpty { return text == "%" ? nil : "\(text) decodes to nothing" }
    // An escape is three bytes long, and encodes one byte.
    let escapes = text.utf8.count { $0 == UInt8(ascii: "%") }
    let digits = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "%") }.flatMap { index in
      text.utf8[text.utf8.index(after: index)...].prefix(2)
    }
    let areDigits = digits.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    return decoded.count == text.utf8.count - 2 * escapes && areDigits ? nil : "\(text) has an escape without digits"
  }

  private static func nameProblem(of text: String) -> String? {
    if let path = SongURI.path(text), !path.isEmpty {
      if path.components.contains(where: { $0.kind == .parentDirectory }) { return "\(text) leads upwards" }
      let name = SongURI.text(path, in: nil)
      if name.contains(where: \.isNewline) && name.utf8.contains(0x0A) { return "a name with a line break" }
      if SongURI.path(name) != path { return "\(name) and \(text) are different paths" }
    }
    guard let name = LibraryName(text) else { return nil }
    if name.path.isAbsolute { return "\(text) is absolute" }
    if let (file, start) = name.segment, start < 0 || file.isAbsolute { return "\(text) is an invalid part of a file" }
    _ = name.filter
    return nil
  }

  private static func permissionProblem(of text: String) -> String? {
    guard let access = try? NetworkAccess(parsing: text) else { return nil }
    let isOwner = access.permission.contains(.owner) || access.passwords.contains { $0.permission.contains(.owner) }
    return isOwner ? "network clients have the owner's permissions" : nil
  }
}
