// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Testing

@Suite struct StreamAddressTests {
  @Test(arguments: [
    "http://radio.example/", "https://radio.example", "http://user:word@host:8000/a//b/../c/?u=http://x/%2F%25",
    "http://[::1]:80/;",
  ])
  func `An address is kept as a path, from which it is recovered`(text: String) throws {
    let address = try #require(StreamAddress(text))
    #expect(address.description == text)
    #expect(!address.path.isAbsolute && address.path.components.count == 1)
    #expect(StreamAddress(address.path) == address)
    #expect(address.path.shown == text)
  }

  @Test func `What a URL may not contain is encoded, and the scheme is in lower case`() {
    #expect(StreamAddress("HTTP://host/a b/é|#c")?.description == "http://host/a%20b/%C3%A9%7C")
  }

  @Test(arguments: [
    "", "http", "http:", "http:/host", "http://", "http:///a", "http://:80/", "http://bücher.example/", "http://a b/",
    "ftp://host/", "file:///a", "a.flac",
    "http://host/\n", "http://host/\u{0}", "http://" + String(repeating: "x", count: StreamAddress.lengthLimit),
  ])
  func `Anything else is not an address`(text: String) {
    #expect(StreamAddress(text) == nil)
  }

  @Test(arguments: ["/music/http:%2F%2Fhost", "http:/host/a", "http", "a/http:%2F%2Fhost", ""])
  func `The path of a file is not an address`(path: String) {
    #expect(StreamAddress(FilePath(path)) == nil)
  }
}
