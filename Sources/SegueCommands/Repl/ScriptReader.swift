import Platform
import SystemPackage

/// Reads the lines of a script from standard input.
struct ScriptReader {
  /// A longer line is no line of a script.
  private static let lineLimit = 1 << 16

  private var buffer: [UInt8] = []
  private var isAtEnd = false

  /// The next line, without its end; `nil` behind the last, or where a signal came. Bytes that are no UTF-8 are replaced.
  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return Self.text(buffer[..<end])
      }
      if isAtEnd || buffer.count > Self.lineLimit {
        guard !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return Self.text(buffer[...])
      }
      let piece = try? unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = try unsafe StandardStream.input.descriptor.read(
          into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: false)
      }
      buffer += piece ?? []
      isAtEnd = piece?.isEmpty ?? true
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
