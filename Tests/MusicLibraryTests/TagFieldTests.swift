import TestSupport
import Testing

@testable import MusicLibrary

struct TagFieldTests {
  @Test func `A field is found by its name, and no other text is one`() {
    for field in TagField.allCases {
      for (name, found) in [(field.name, field), (field.name + "X", nil), (field.name.lowercased(), nil)] {
        var name = name
        #expect(name.withUTF8 { TagField(name: UnsafeRawBufferPointer($0)) } == found)
      }
    }
    #expect(TagField(name: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
  }

  @Test func `A decimal that is read in the short way is the nearest number`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let whole = String(
        UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 1...45, using: &generator), using: &generator))
      let rest = String(
        UInt64.random(in: 0...UInt64(1) << UInt64.random(in: 1...45, using: &generator), using: &generator))
      let text = (Bool.random(using: &generator) ? "-" : "") + whole + "." + rest
      if let value = (text + " dB").plainDecimal { #expect(value == Double(text), "\(text)") }
    }
  }

  @Test(arguments: [
    ("-7.32 dB", -7.32), ("+1.5", 1.5), ("0.988553", 0.988553), ("5", 5), ("-0.00 dB", 0), (" 5", nil),
    ("", nil),
    ("1e3", nil), ("1,5", nil), (".5", nil), ("5.", nil), ("--5", nil), ("1.2.3", nil),
    ("1234567890123456", nil),
  ]) func `What is written in another way is left to others`(text: String, value: Double?) {
    #expect(text.plainDecimal == value)
  }
}
