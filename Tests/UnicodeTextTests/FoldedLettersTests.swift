import Testing

@testable import UnicodeText

struct FoldedLettersTests {
  /// What folding gives scalar by scalar, without the letters that are known.
  private func folded(_ text: String) -> String {
    var folding = ScalarFolding()
    for scalar in text.unicodeScalars { folding.append(scalar) }
    return folding.composed
  }

  @Test func `Every letter that is known by itself is what folding makes of it, also beside others`() {
    for value: UInt32 in 0...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "x\(scalar)y", " \(scalar) ", "が\(scalar)é", "각\(scalar)й"] {
        if let known = FoldedLetters.text(text), known != folded(text) {
          Issue.record("U+\(String(value, radix: 16)) in \(text)")
        }
      }
    }
  }

  @Test func `Most letters of Europe are known`() {
    for text in ["Björk", "Łódź", "Ænima", "Straße", "Ёлка", "Γεια σου", "Ñandú œuvre"] {
      #expect(FoldedLetters.text(text) != nil || text.contains("Γ"), "\(text)")
    }
    #expect(FoldedLetters.text("e\u{301}") == nil)
  }
}
