// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform

/// The parser to fuzz, named by `$SEGUE_FUZZ_PARSER`.
private let parser: Parser = {
  guard let parser = Environment.value("SEGUE_FUZZ_PARSER").flatMap(Parser.init(rawValue:)) else {
    report("set SEGUE_FUZZ_PARSER to one of: \(Parser.allCases.map(\.rawValue).joined(separator: " "))")
    exit(2)
  }
  // A client whose player has closed the connection must get an error, not a signal.
  ProcessSignal.ignoreBrokenPipes()
  return parser
}()

/// Passes an input from libFuzzer to the parser's check. Aborts the process if the check finds a problem, so that the
/// input is saved.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let problem = parser.check(bytes) else { return 0 }
  report("\(parser.rawValue): \(problem)")
  abort()
}

private func report(_ line: String) {
  _ = unsafe "\(line)\n".withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
}
