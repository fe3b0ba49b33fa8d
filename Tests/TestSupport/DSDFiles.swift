// SPDX-License-Identifier: GPL-3.0-or-later

/// The bytes of DSD files.
public enum DSDFiles {
  /// Returns a DSF file.
  ///
  /// - Parameter channels: The bytes of each channel, with the earliest bit highest.
  public static func dsf(_ channels: [[UInt8]], bitRate: Int = 2_822_400, blockSize: Int = 4_096) -> [UInt8] {
    let count = channels.first?.count ?? 0
    var data: [UInt8] = []
    for start in stride(from: 0, to: count, by: blockSize) {
      for channel in channels {
        let block = channel[start..<min(count, start + blockSize)].map(reversed)
        data += block + Array(repeating: 0, count: blockSize - block.count)
      }
    }
    let format =
      little(1, 4) + little(0, 4) + little(channels.count, 4) + little(channels.count, 4) + little(bitRate, 4)
      + little(1, 4) + little(count * 8, 8) + little(blockSize, 4) + little(0, 4)
    return Array("DSD ".utf8) + little(28, 8) + little(92 + data.count, 8) + little(0, 8)
      + Array("fmt ".utf8) + little(52, 8) + format + Array("data".utf8) + little(12 + data.count, 8) + data
  }

  /// Returns a DFF file.
  ///
  /// - Parameter channels: The bytes of each channel, with the earliest bit highest.
  public static func dff(_ channels: [[UInt8]], bitRate: Int = 2_822_400, compression: String = "DSD ") -> [UInt8] {
    let count = channels.first?.count ?? 0
    let data = (0..<count).flatMap { index in channels.map { $0[index] } }
    let names = channels.count == 2 ? "SLFTSRGT" : "C   "
    let properties =
      Array("SND ".utf8) + chunk("FS  ", big(bitRate, 4)) + chunk("CHNL", big(channels.count, 2) + Array(names.utf8))
      + chunk("CMPR", Array(compression.utf8) + [14] + Array("not compressed".utf8))
    let content =
      Array("DSD ".utf8) + chunk("FVER", big(0x0105_0000, 4)) + chunk("PROP", properties) + chunk("DSD ", data)
    return chunk("FRM8", content)
  }

  private static func reversed(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(0) { $0 | (byte >> UInt8($1) & 1) << UInt8(7 - $1) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(content.count, 8) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func big(_ number: Int, _ size: Int) -> [UInt8] { little(number, size).reversed() }
}
