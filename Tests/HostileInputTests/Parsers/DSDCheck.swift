// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

@testable import DSDDecoding

enum DSDCheck {
  /// Returns the problem in where a DSD file that contains `bytes` is said to have its audio.
  static func problem(in bytes: [UInt8]) -> String? {
    var readCount = 0
    var problem: String?
    let layout = DSDLayout { offset, count in
      readCount += 1
      if offset < 0 || !(1...1 << 16).contains(count) { problem = "\(count) bytes are read at \(offset)" }
      guard offset >= 0, offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)...].prefix(count))
    }
    if let problem { return problem }
    if readCount > 200 { return "the header takes \(readCount) reads" }
    guard let layout else { return nil }
    guard let format = layout.format else { return "a layout without a format" }
    if !format.isDSD || layout.frameCount < 1 { return "\(layout.frameCount) frames" }
    let groups = layout.byteCount / Int64(layout.blockSize) + 1
    let end = groups.multipliedReportingOverflow(by: Int64(layout.blockSize * layout.channels))
    if end.overflow || layout.start < 0 || layout.start > Int64.max - end.partialValue { return "the audio never ends" }
    return nil
  }
}
