// SPDX-License-Identifier: GPL-3.0-or-later

import TOMLFiles
import Testing

struct TOMLDocumentTests {
  @Test(arguments: [
    ("a = 1\n[\n", 2), ("[ =]", 1), ("[[\n]]", 1), ("x = '''\n[\n'''\n\t[ .a]", 4), ("[é]", 1),
    ("x = 1979-05-27T:", 1), ("x = 1979-05-27 :", 1), ("x = 1979-05-2e 5 ", 1), ("x = [1979-0_5-27 5]", 1),
    ("x = 1979-05-2= 5 ", 1), ("x = 1979-05-2[ 5 ]", 1), ("y = 1\nx=1979-05-=\" 5 ", 2), ("x = {y=1979-05-2\" 5,", 1),
    ("x = [1, }", 1), ("x = {y = [}]", 1), ("]", 1),
  ])
  func `A text that would crash the TOML parser is reported as an error with its line`(text: String, line: Int) {
    #expect(TOMLPrecondition.violation(in: text)?.line == line)
    #expect(throws: TOMLError.self) { try TOMLDocument.parse(text) }
  }

  @Test(arguments: [
    "", "[a]", "[ \"b c\" . 'd' ]", "[[ a ]] # [", "x = [\n[\n],\n[ [], [{y = '}'}] ] # ]\n]\n[a]",
    "x = \"\\\"[\"\n[a]", "x = \"\"\"]\n[\n\\\"\"\"\"\"\n[a]", "x = '''\n[\n''''\n[a]", "x = 1979-05-27 # day",
    "x = 1979-05-27T07:32:00Z", "x = [1979-05-27 , 1979-05-27 07:32:00]", "\u{FEFF}[a]\n\n[b]",
  ])
  func `Valid TOML is parsed`(text: String) throws {
    #expect(TOMLPrecondition.violation(in: text) == nil)
    #expect(throws: Never.self) { try TOMLDocument.parse(text) }
  }
}
