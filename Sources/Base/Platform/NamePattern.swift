#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pattern of the shell for names, as fnmatch(3) reads it: `*`, `?` and `[...]`.
public struct NamePattern: Sendable, Hashable {
  /// With a NUL at its end.
  private let bytes: [CChar]

  /// The pattern of these bytes; what follows a NUL does not count.
  public init(_ pattern: some Collection<UInt8>) {
    bytes = pattern.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether the whole of a name, which need not be text, is as the pattern says. Any thread.
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
