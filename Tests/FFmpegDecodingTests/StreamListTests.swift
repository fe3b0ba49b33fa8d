// SPDX-License-Identifier: GPL-3.0-or-later

import DecodingProtocol
import Testing

@testable import FFmpegDecoding

/// What servers send as text, and where it leads.
@Suite struct StreamListTests {
  private func addresses(_ text: String, from base: String = "http://a.example/d/list.m3u") throws -> [String] {
    try StreamList(Array(text.utf8), from: base).entries.map(\.address)
  }

  @Test(arguments: [
    (
      "#EXTM3U\n#EXTINF:-1,Radio\nhttp://b.example/x\n\n# note\nHTTPS://c.example/y\n",
      "http://b.example/x HTTPS://c.example/y"
    ),
    (
      "\u{FEFF}#EXTM3U\r\n01 a.flac\r\n../b%20c.flac\r\n/c.flac\r\n//b.example/d\r\n",
      "http://a.example/d/01%20a.flac http://a.example/b%20c.flac http://a.example/c.flac http://b.example/d"
    ),
    (
      "[playlist]\nNumberOfEntries=2\nFile1=http://b.example/?a=1\nTitle1=x\nLength1=-1\nfile2=e.mp3\nVersion=2\n",
      "http://b.example/?a=1 http://a.example/d/e.mp3"
    ),
    (
      "<?xml version=\"1.0\"?><playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>http://b.example/?a=1&amp;b=2</location></track><track><location>f.ogg</location></track></trackList></playlist>",
      "http://b.example/?a=1&b=2 http://a.example/d/f.ogg"
    ),
    ("a=b.mp3\nd\\e.mp3\n", "http://a.example/d/a=b.mp3 http://a.example/d/d/e.mp3"),
    ("#EXTM3U\nfile:///etc/passwd\nftp://x/y\nmailto:a\ng#1.flac", "http://a.example/d/g%231.flac"),
  ])
  func `The entries of a list are absolute addresses`(text: String, expected: String) throws {
    #expect(try addresses(text) == expected.split(separator: " ").map(String.init))
  }

  @Test func `Entries with bytes that no address contains are encoded`() throws {
    let list = try StreamList(Array("#EXTM3U\n".utf8) + [0xFF, 0x22, 0x01], from: "https://a.example?x=/y")
    #expect(list.entries.map(\.address) == ["https://a.example/%ff%22"])
  }

  @Test func `Several entries on the server of the list are an album, others are mirrors`() throws {
    let isSequence = { (text: String) in
      try StreamList(Array(text.utf8), from: "http://a.example:8000/list.m3u").isSequence
    }
    #expect(try isSequence("#EXTM3U\n1.flac\nhttp://a.example:8000/2.flac\n"))
    #expect(try !isSequence("#EXTM3U\n1.flac\n"))
    #expect(try !isSequence("#EXTM3U\nhttp://a.example:8000/1\nhttp://b.example:8000/1\n"))
    #expect(try !isSequence("#EXTM3U\nhttp://a.example/1\nhttp://a.example/2\n"))
  }

  @Test func `An entry has the artist and the title that the list gives it`() throws {
    let list = try StreamList(
      Array("#EXTM3U\n#EXTINF:3,Band - One\n1.flac\n2.flac\n#extinf:4 a=\"b\", Two\n3.flac".utf8), from: "http://a/b")
    #expect(list.entries.map(\.names.title) == [Array("One".utf8), [], Array("Two".utf8)])
    #expect(list.entries.map(\.names.artists) == [[Array("Band".utf8)], [], []])
    #expect(ListedStream.entries(bytes: ListedStream.bytes(of: list.entries)) == list.entries)
  }

  @Test(arguments: [
    ("", "sends nothing"), (" \n", "sends nothing"), ("Hello", "sends text, not audio"),
    ("#EXTM3U\n# nothing\n", "sends a list without an address to play"),
    ("<!DOCTYPE html><html>", "sends a web page, not audio"),
    ("\n<HTML><a href=\"http://a/\">", "sends a web page, not audio"),
    (
      "{\"subsonic-response\":{\"status\":\"failed\",\"error\":{\"code\":40,\"message\":\"Wrong\"}}}",
      "is refused by the server (Wrong)"
    ),
    (
      "<subsonic-response status=\"failed\"><error code=\"70\" message=\"Not here\"/></subsonic-response>",
      "is refused by the server (Not here)"
    ),
    (String(repeating: "a", count: 1 << 18 + 1), "sends text of more than 256 KiB, not audio"),
  ])
  func `Text that is not a list is refused with what it is`(text: String, reason: String) throws {
    let refusal = #expect(throws: DecodingRefusal.self) { try StreamList(Array(text.utf8), from: "http://a/") }
    #expect(refusal?.reason == reason)
  }

  @Test(arguments: [
    ("http://a/b/c?d=/e", "f", "http://a/b/f"), ("http://a", "f", "http://a/f"),
    ("http://a/b/", "../../../f", "http://a/f"),
    ("http://a/b/c", "./d/./e?x=../y", "http://a/b/d/e?x=../y"), ("http://u:p@a/b", "/c", "http://u:p@a/c"),
    ("https://a/b", "//c/d", "https://c/d"), ("http://a/b", "x/y:z", "http://a/x/y:z"),
    ("http://a/b/c", " d e ", "http://a/b/d%20e"),
  ])
  func `A reference is resolved against the address of its list`(base: String, reference: String, expected: String) {
    #expect(ServerAddress.resolve(reference.utf8, from: base) == expected)
  }
}

/// The limits of what servers may make the program do.
@Suite struct NetworkWaitTests {
  private func address(_ text: String) -> InternetAddress {
    if text.contains(".") {
      return InternetAddress(
        [UInt8](repeating: 0, count: 10) + [255, 255] + text.split(separator: ".").map { UInt8($0) ?? 0 })
    }
    let groups = text.split(separator: ":").flatMap { group in
      let number = UInt16(group, radix: 16) ?? 0
      return [UInt8(number >> 8), UInt8(number & 255)]
    }
    return InternetAddress(groups)
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.8",
    "0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:0", "0:0:0:0:0:0:7f00:1", "fe80:0:0:0:0:0:0:1", "fec0:0:0:0:0:0:0:1",
    "fd00:0:0:0:0:0:0:1", "fc00:0:0:0:0:0:0:1", "ff02:0:0:0:0:0:0:1", "64:ff9b:0:0:0:0:c0a8:1", "2002:7f00:1:0:0:0:0:1",
  ])
  func `Addresses of machines and networks of one's own are private`(text: String) {
    #expect(address(text).isPrivate)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.1", "172.15.255.255", "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0", "100.63.255.255", "100.128.0.0", "169.253.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
    "203.0.113.5",
    "2001:db8:0:0:0:0:0:1", "2606:4700:0:0:0:0:0:1111", "64:ff9b:0:0:0:0:808:808", "2002:808:808:0:0:0:0:1",
  ])
  func `Addresses in the Internet are not private`(text: String) { #expect(!address(text).isPrivate) }

  @Test func `A server in the Internet must not lead to a private network, but one in it may lead anywhere`() {
    let outside = NetworkWait { false }
    outside.accept(address("203.0.113.5"))
    outside.accept(address("203.0.113.6"))
    #expect(outside.refusal == nil)
    outside.accept(address("192.168.1.1"))
    #expect(outside.refusal?.reason == "leads to a private network, from a server outside it")
    let inside = NetworkWait { false }
    for peer in ["127.0.0.1", "203.0.113.5", "10.0.0.1"] { inside.accept(address(peer)) }
    #expect(inside.refusal == nil)
  }

  @Test func `An address that makes too many connections without audio is given up`() {
    let wait = NetworkWait { true }
    for _ in 0..<NetworkWait.connectionLimit { wait.accept(address("203.0.113.5")) }
    #expect(wait.refusal == nil)
    wait.accept(address("203.0.113.5"))
    #expect(wait.refusal?.kind == .unsupported)
    let other = NetworkWait { true }
    for _ in 0..<1_000 {
      other.begin()
      other.accept(address("203.0.113.5"))
    }
    #expect(other.refusal == nil)
  }
}
