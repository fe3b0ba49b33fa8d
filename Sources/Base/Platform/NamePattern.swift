// SPDX-License-Identifier: GPL-3.0-or-later

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A shell pattern for file names, as fnmatch(3) interprets it: `*`, `?` and `[...]`.
public struct NamePattern: Sendable, Hashable {
  /// The bytes of the pattern, with a NUL at the end.
  private let bytes: [CChar]

  /// Creates a pattern from bytes; a NUL and everything after it are ignored.
  public init(_ pattern: some Collection<UInt8>) {
    bytes = pattern.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether the pattern matches the whole of `name`, which need not be valid UTF-8. Can be called from any thread.
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
