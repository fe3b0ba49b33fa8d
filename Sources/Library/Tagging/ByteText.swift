// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard

/// A string that is compared and hashed by its bytes, for use as the key of a dictionary.
///
/// Hashing a `String` that is not ASCII takes twenty times as long, because canonically equivalent strings must have
/// the same hash.
package struct ByteText: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Whether both strings have the same bytes.
  package static func == (left: ByteText, right: ByteText) -> Bool {
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        unsafe UnsafeRawBufferPointer(left).hasBytes(of: UnsafeRawBufferPointer(right))
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the buffer contains the same bytes as `other`.
  package func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return unsafe memcmp(first, second, count) == 0
  }

  /// Whether the buffer contains these bytes, one after the other.
  package func contains(bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    guard count >= bytes.count else { return false }
    let last = count - bytes.count
    var index = 0
    while index <= last {
      if unsafe self[index] == first {
        var matched = 1
        while matched < bytes.count, unsafe self[index &+ matched] == bytes[matched] { matched &+= 1 }
        if matched == bytes.count { return true }
      }
      index &+= 1
    }
    return false
  }
}

extension [UInt8] {
  /// Whether the array contains these bytes, one after the other.
  package func contains(bytes: [UInt8]) -> Bool { unsafe withUnsafeBytes { unsafe $0.contains(bytes: bytes) } }
}
