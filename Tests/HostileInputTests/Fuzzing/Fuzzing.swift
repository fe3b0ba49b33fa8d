import Glibc
import Platform

/// The parser that is fuzzed, by `$SEGUE_FUZZ_PARSER`.
private let parser: Parser = {
  guard let parser = Environment.value("SEGUE_FUZZ_PARSER").flatMap(Parser.init(rawValue:)) else {
    report("set SEGUE_FUZZ_PARSER to one of: \(Parser.allCases.map(\.rawValue).joined(separator: " "))")
    exit(2)
  }
  // A client whose player has gone is to be told so.
  ProcessSignal.ignoreBrokenPipes()
  return parser
}()

/// Has the parser check the input that libFuzzer made; ends the process where something is wrong, so that the input is
/// kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let fault = parser.check(bytes) else { return 0 }
  report("\(parser.rawValue): \(fault)")
  abort()
}

private func report(_ line: String) {
  _ = unsafe "\(line)\n".withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
}
