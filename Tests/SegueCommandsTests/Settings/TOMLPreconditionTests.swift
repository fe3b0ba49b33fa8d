import Testing

@testable import SegueCommands

struct TOMLPreconditionTests {
  @Test(arguments: [
    ("a = 1\n[\n", 2), ("[ =]", 1), ("[[\n]]", 1), ("x = '''\n[\n'''\n\t[ .a]", 4), ("[é]", 1),
    ("x = 1979-05-27T:", 1), ("x = 1979-05-27 :", 1), ("x = [1, }", 1), ("x = {y = [}]", 1), ("]", 1),
  ])
  func `What would end the process is a fault in its line`(text: String, line: Int) {
    #expect(TOMLPrecondition.violation(in: text)?.line == line)
    #expect(throws: TOMLDocument.Failure.self) { try TOMLDocument.parse(text) }
  }

  @Test(arguments: [
    "", "[a]", "[ \"b c\" . 'd' ]", "[[ a ]] # [", "x = [\n[\n],\n[ [], [{y = '}'}] ] # ]\n]\n[a]",
    "x = \"\\\"[\"\n[a]", "x = \"\"\"]\n[\n\\\"\"\"\"\"\n[a]", "x = '''\n[\n''''\n[a]", "x = 1979-05-27 # day",
    "x = 1979-05-27T07:32:00Z", "x = [1979-05-27 , 1979-05-27 07:32:00]", "\u{FEFF}[a]\n\n[b]",
  ])
  func `What is TOML is parsed`(text: String) throws {
    #expect(TOMLPrecondition.violation(in: text) == nil)
    #expect(throws: Never.self) { try TOMLDocument.parse(text) }
  }
}
