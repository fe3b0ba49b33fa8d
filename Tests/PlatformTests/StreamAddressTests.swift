// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Testing

@Suite struct StreamAddressTests {
  @Test(arguments: [
    "http://radio.example/", "https://radio.example", "http://user@host:8000/a//b/../c/?u=http://x/%2F%25",
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

  @Test(arguments: [
    ("http://me:word@host/a", "http://me@host/a"), ("http://me:wo:r@d@host/", "http://me@host/"),
    ("http://me:@empty/", "http://me@empty/"),
    (
      "https://host/rest/stream.view?u=me&t=0123&s=abc&v=1.16&c=x&id=5",
      "https://host/rest/stream.view?u=me&v=1.16&c=x&id=5"
    ),
    ("https://host/rest/stream?u=me&p=enc:736563&id=5", "https://host/rest/stream?u=me&id=5"),
    ("http://host/a?apiKey=1&API_KEY=2&x=3", "http://host/a?x=3"), ("http://host/a?X-Plex-Token=1", "http://host/a"),
    ("http://host/a?access_token=1&n", "http://host/a?n"), ("http://host/?password", "http://host/"),
    ("http://host/?x=http://me:word@inner/", "http://host/?x=http://me@inner/"),
  ])
  func `Secrets are taken out of an address, and put back for the server`(text: String, shown: String) throws {
    let address = try #require(StreamAddress(text))
    #expect(address.description == shown && address.withSecrets == text)
    #expect(StreamAddress(shown) == address && StreamAddress(address.path)?.withSecrets == text)
    // The path of an address that an earlier version has stored.
    let path = FilePath(text.replacing("%", with: "%25").replacing("/", with: "%2F"))
    #expect(path.shown == shown && StreamAddress(path)?.path == address.path)
  }

  @Test(arguments: [
    "http://me@host/", "http://host/?p=123&t=30&s=1", "http://host/a?", "http://host/?&&", "http://host/a:b@c",
    "http://host/?key=1&id=a:b@c", "no address: a@b", "12:30://", "://", "a://b://c",
  ])
  func `What is no secret stays`(text: String) {
    #expect(AddressSecrets.removed(from: text) == text)
  }

  @Test func `Secrets are taken out of every address in a text`() {
    #expect(
      AddressSecrets.removed(
        from: "play \"rtsp://me:word@host/a\" <ftp://x:y@z> http://:word@h/?token=1 /d/http:/x:y@h end")
        == "play \"rtsp://me@host/a\" <ftp://x@z> http://@h/ /d/http:/x@h end")
  }
}
