import NIOCore
import Testing

@testable import RemoteControl

@Suite struct LineFramerTests {
  @Test func `Lines come out whole, however they came in`() {
    let text = Array("one\r\ntwo\n\nfour".utf8)
    for size in 1...text.count {
      var framer = LineFramer()
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        var piece = ByteBuffer(bytes: text[start..<min(start + size, text.count)])
        framer.append(&piece)
        while case .line(let line)? = framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines == ["one", "two", ""] && framer.isWithinLine)
    }
  }

  @Test(arguments: [true, false])
  func `A line that is too long is told, with its end or without`(hasEnd: Bool) {
    var framer = LineFramer()
    var bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: LineFramer.lineLimit + 1)
    if hasEnd { bytes.writeString("\n") }
    framer.append(&bytes)
    #expect(framer.next() == .tooLong)
  }
}
