import Testing

@testable import UnicodeText

@Suite struct CaseFolderTests {
  /// Numbers that are the same in each run.
  private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 3

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static func folded(_ text: String, _ folder: inout CaseFolder) -> String {
    unsafe Array(text.utf8).withUnsafeBytes { bytes in
      unsafe folder.withFolded(bytes) { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func `It folds as a text folds, whatever stands in it`() {
    var random = Numbers()
    var folder = CaseFolder()
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x1E00...0x1FFF, 0x2010...0x2030, 0x3040...0x30FF,
      0x4E00...0x4E40, 0xAC00...0xAC40, 0x11A8...0x11C2, 0xFB00...0xFB06, 0xFF00...0xFFEF, 0x10400...0x10427,
      0x1F...0x1F,
    ]
    for _ in 0..<4_000 {
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
            let range = ranges[Int.random(in: ranges.indices, using: &random)]
            return Unicode.Scalar(UInt32.random(in: range, using: &random))
          }))
      #expect(
        Self.folded(text, &folder).utf8.elementsEqual(text.caseFolded.utf8), "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func `Every letter of its table folds as by itself, and beside others`() {
    var folder = CaseFolder()
    for value in 0x80...0x523 as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "a\(scalar)b", "\(scalar)\u{301}", "E\(scalar)"] {
        #expect(Self.folded(text, &folder).utf8.elementsEqual(text.caseFolded.utf8), "\(value)")
      }
    }
  }

  @Test func `What is no UTF-8 is repaired`() {
    var folder = CaseFolder()
    for bytes in [[0xC3], [0x41, 0xFF], [0xE4, 0xB8], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let folded = unsafe bytes.withUnsafeBytes { bytes in
        unsafe folder.withFolded(bytes) { unsafe Array($0) }
      }
      #expect(folded == Array(String(decoding: bytes, as: UTF8.self).caseFolded.utf8))
    }
  }
}
