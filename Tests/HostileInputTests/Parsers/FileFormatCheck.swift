// SPDX-License-Identifier: GPL-3.0-or-later

@testable import FormatSniffing

enum FileFormatCheck {
  /// Returns the problem in the detection of the format of a file that contains `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    var readCount = 0
    var problem: String?
    let signature = FormatSignature(size: Int64(bytes.count)) { offset, count in
      readCount += 1
      if offset < 0 || !(1...1 << 16).contains(count) { problem = "\(count) bytes are read at \(offset)" }
      guard offset >= 0, offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
    if let problem { return problem }
    if readCount > 1_200 { return "the detection takes \(readCount) reads" }
    guard let signature else { return nil }
    if bytes.isEmpty != (signature.format == .empty) { return "\(bytes.count) bytes are \(signature.format)" }
    if signature.unplayableName?.isEmpty == true { return "a format without a name" }
    return nil
  }
}
