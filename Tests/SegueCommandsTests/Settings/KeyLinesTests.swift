import Testing

@testable import SegueCommands

struct KeyLinesTests {
  @Test(arguments: [
    (["a"], 2), (["b"], 3), (["t"], 4), (["t", "a"], 5), (["u", "v"], 6), (["u", "v", "w"], 7),
    (["u", "v", "x"], 6), (["t", "a", "deep"], 5),
  ])
  func `A key has the line in which it stands, or that of the table that it is in`(path: [String], line: Int) {
    let lines = KeyLines("# a = 0\na = 1\n  \"b\"=2\n [ t ] # c = 1\na = { deep = 1 }\n[u.v]\nw = 1")
    #expect(lines[path] == line)
  }

  @Test func `What stands within a text of several lines is no key`() {
    let lines = KeyLines("a = \"\"\"\nb = 1\n\"\"\"\nc = '''x'''\nd = '''\nb = 2'''\nb = 3\n")
    #expect(lines[["b"]] == 7 && lines[["c"]] == 4 && lines[["d"]] == 5)
  }

  @Test func `A dotted key is in its table, and what is not there has no line`() {
    let lines = KeyLines("keys.next = \"j\"\r\nmodes . repeat = \"all\"\r\n")
    #expect(lines[["keys", "next"]] == 1 && lines[["keys"]] == 1 && lines[["modes", "repeat"]] == 2)
    #expect(lines[["no"]] == nil && KeyLines("")[["a"]] == nil && KeyLines("=\n[\n]\n.")[["a"]] == nil)
  }
}
