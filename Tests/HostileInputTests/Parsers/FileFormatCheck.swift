// SPDX-License-Identifier: GPL-3.0-or-later

@testable import FormatSniffing

enum FileFormatCheck {
  /// Returns the problem in how the format of a file with these bytes is detected.
  static func problem(in bytes: [UInt8]) -> String? {
    var readCount = 0
    var problem: String?
    let signature = FormatSignature(size: Int64(bytes.count)) { place, count in
      readCount += 1
      if place < 0 || !(1...4_096).contains(count) { problem = "\(count) bytes are read at \(place)" }
      guard place >= 0, place < bytes.count else { return [] }
      return Array(bytes[Int(place)...].prefix(count))
    }
    if let problem { return problem }
    if readCount > 1_200 { return "it takes \(readCount) reads" }
    guard let signature else { return nil }
    if bytes.isEmpty != (signature.format == .empty) { return "\(bytes.count) bytes are \(signature.format)" }
    if signature.unplayableName?.isEmpty == true { return "a format without a name" }
    return nil
  }
}
