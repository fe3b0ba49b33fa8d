public import MusicModel

/// Reads what ``TagJSON`` wrote, without making anything of tags that nobody asks for. Whatever else another program
/// may have put there ends it, and does no harm.
public enum TagJSONReader {
  /// The kinds by the names of their tags, by the length of these.
  private static let kinds: [[(name: [UInt8], kind: FurtherTags.Kind)]] = {
    var kinds = [[(name: [UInt8], kind: FurtherTags.Kind)]](repeating: [], count: 32)
    for kind in FurtherTags.Kind.allCases {
      for name in kind.names { kinds[name.utf8.count].append((Array(name.utf8), kind)) }
    }
    return kinds
  }()

  /// Calls `body` with each value of a tag that is one of ``FurtherTags``, in the order in which they stand. Of the
  /// bytes it is given nothing is left afterwards.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (FurtherTags.Kind, UnsafeRawBufferPointer) -> Void
  ) {
    var cursor = unsafe TagJSONCursor(bytes)
    guard cursor.take(UInt8(ascii: "{")) else { return }
    // Of several names of a kind, the first counts; they stand in the order of the alphabet, as in `names`.
    var found: UInt64 = 0
    while let name = cursor.takeText() {
      guard cursor.take(UInt8(ascii: ":")), cursor.take(UInt8(ascii: "[")) else { return }
      var kind = unsafe kind(UnsafeRawBufferPointer(rebasing: bytes[name.range]))
      if let known = kind {
        if found & 1 << UInt64(known.rawValue) != 0 { kind = nil }
        found |= 1 << UInt64(known.rawValue)
      }
      repeat {
        guard let text = cursor.takeText() else { return }
        guard let kind else { continue }
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[text.range])
        if text.hasEscapes {
          let plain = unsafe TagJSONCursor.withoutEscapes(value)
          unsafe plain.withUnsafeBytes { unsafe body(kind, $0) }
        } else {
          unsafe body(kind, value)
        }
      } while cursor.take(UInt8(ascii: ","))
      guard cursor.take(UInt8(ascii: "]")), cursor.take(UInt8(ascii: ",")) else { return }
    }
  }

  private static func kind(_ name: UnsafeRawBufferPointer) -> FurtherTags.Kind? {
    guard name.count < kinds.count else { return nil }
    return kinds[name.count].first { unsafe name.elementsEqual($0.name) }?.kind
  }
}

/// A place in a JSON object of arrays of texts.
@safe private struct TagJSONCursor {
  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Takes `byte`, if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard unsafe index < bytes.count, unsafe bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Takes a text in quotes, and gives where it is without these, and whether it has backslashes.
  mutating func takeText() -> (range: Range<Int>, hasEscapes: Bool)? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = index
    var hasEscapes = false
    while unsafe index < bytes.count {
      let byte = unsafe bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return (start..<(index - 1), hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index += 1
      }
    }
    return nil
  }

  /// The bytes of a text with what its backslashes stand for.
  static func withoutEscapes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = unsafe bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < bytes.count else {
        plain.append(byte)
        continue
      }
      let escaped = unsafe bytes[index]
      index += 1
      if escaped == UInt8(ascii: "u") {
        // A control character. What would end a line, no line has.
        let end = min(index + 4, bytes.count)
        let digits = unsafe String(decoding: bytes[index..<end], as: UTF8.self)
        let byte = UInt8(digits, radix: 16) ?? 0
        index = end
        plain.append((1..<0x20).contains(byte) && !(0x09...0x0D).contains(byte) ? byte : UInt8(ascii: " "))
      } else {
        plain.append(escaped)
      }
    }
    return plain
  }
}
