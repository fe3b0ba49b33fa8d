// SPDX-License-Identifier: GPL-3.0-or-later

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A shell pattern for names, as fnmatch(3) understands it: `*`, `?` and `[...]`.
public struct NamePattern: Sendable, Hashable {
  /// The pattern, with a NUL at its end.
  private let bytes: [CChar]

  /// Creates the pattern of these bytes; everything from a NUL on is ignored.
  public init(_ pattern: some Collection<UInt8>) {
    bytes = pattern.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether a whole name, which need not be valid text, matches the pattern. Any thread.
  public func matches(_ name: some Collection<UInt8>) -> Bool {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    return unsafe bytes.withUnsafeBufferPointer { pattern in
      unsafe name.withUnsafeBufferPointer { name in
        guard let pattern = pattern.baseAddress, let name = name.baseAddress else { return false }
        return unsafe fnmatch(pattern, name, 0) == 0
      }
    }
  }
}
