// SPDX-License-Identifier: GPL-3.0-or-later

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A text as the key of a table: equal where its bytes are.
///
/// To hash a `String` that is not ASCII takes twenty times as long, since texts that Unicode takes for one have to give
/// one hash.
package struct ByteText: Hashable {
  /// The text.
  package let text: String

  /// The key that `text` is.
  package init(_ text: String) { self.text = text }

  /// Whether the bytes of both are the same.
  package static func == (left: ByteText, right: ByteText) -> Bool {
    guard left.text.utf8.count == right.text.utf8.count else { return false }
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        unsafe UnsafeRawBufferPointer(left).hasBytes(of: UnsafeRawBufferPointer(right))
      }
    }
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it holds the bytes that `other` holds.
  package func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return unsafe memcmp(first, second, count) == 0
  }
}
