// SPDX-License-Identifier: GPL-3.0-or-later

import NIOCore
import Platform
import SystemPackage
import Tagging
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct PictureTests {
  private let directory: TemporaryDirectory
  private let rig: LibraryRig
  private let bytes: [UInt8]

  init() throws {
    var random = SeededGenerator(seed: 7)
    bytes = random.bytes(20_000)
    directory = try TemporaryDirectory()
    let flac = SoundBytes.flac([("TITLE", "T")])
    for name in ["a/1.flac", "b/1.flac", "c/1.flac", "d/1.flac", "e/1.flac"] {
      try directory.write(flac, to: "music/\(name)")
    }
    try directory.write([1, 2, 3], to: "music/a/album.png")
    try directory.write(bytes, to: "music/a/Folder.JPEG")
    try directory.write(bytes, to: "music/a/back.jpg")
    try directory.write([], to: "music/b/cover.jpg")
    try directory.write(bytes, to: "outside/secret")
    try directory.link("music/c/cover.jpg", to: directory["outside/secret"].string)
    try directory.makeFIFO("music/d/cover.jpg")
    try directory.write(SoundBytes.flac(picture: bytes, type: "image/x-test"), to: "music/e/1.flac")
    rig = try LibraryRig(directory["music"])
  }

  /// Fetches a picture in chunks, through the command table. Returns its bytes and the distinct headers of the chunks.
  private func fetch(
    _ command: String, _ uri: String, isLocal: Bool = true, limit: Int = 8_192
  ) throws(ProtocolError) -> (bytes: [UInt8], headers: Set<[String]>) {
    var fetched: [UInt8] = []
    var headers: Set<[String]> = []
    while true {
      var context = rig.context(isLocal: isLocal)
      context.client.binaryLimit = limit
      let body = CommandTable.library.first { $0.names.contains(command) }?.body
      try body?(Arguments(words: [uri, "\(fetched.count)"], command: command), &context)
      var rest = Array(context.response.take().readableBytesView)[...]
      var header: [String] = []
      while let end = rest.firstIndex(of: 10) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[(end + 1)...]
        if line.hasPrefix("binary: ") { break }
        header.append(line)
      }
      headers.insert(header)
      if rest.isEmpty { return (fetched, headers) }
      #expect(rest.last == 10 && rest.count - 1 <= limit)
      fetched += rest.dropLast()
      if rest.count == 1 || fetched.count >= 1 << 20 { return (fetched, headers) }
    }
  }

  @Test func `A cover beside the songs is fetched in chunks, the best one by name`() throws {
    let (found, headers) = try fetch("albumart", "a/1.flac", isLocal: false)
    #expect(found == bytes && headers == [["size: 20000"]])
    #expect(try fetch("albumart", "a", limit: 64).bytes == bytes)
  }

  @Test func `An embedded picture is fetched with its type`() throws {
    let (found, headers) = try fetch("readpicture", "e/1.flac", isLocal: false, limit: 4_096)
    #expect(found == bytes && headers == [["size: 20000", "type: image/x-test"]])
    #expect(try fetch("readpicture", "a/1.flac").bytes.isEmpty)
  }

  @Test(arguments: [
    ("albumart", "b/1.flac"), ("albumart", "c/1.flac"), ("albumart", "d/1.flac"), ("albumart", "nope"),
    ("albumart", "../outside/x"), ("readpicture", "nope"), ("readpicture", "a"),
    ("readpicture", "../outside/secret"),
  ]) func `A network client gets only pictures of the library`(command: String, uri: String) {
    #expect(throws: ProtocolError.self) { try fetch(command, uri, isLocal: false) }
  }

  @Test func `The pictures of MP3, Vorbis and Opus files are found too`() throws {
    for name in [
      "Music Box Theatre/Parlour Pieces/CD1/01 Prelude in C.mp3",
      "The Clockwork Consort/Ground and Air/01 Canon in D, Part One.flac",
    ] {
      let picture = try #require(EmbeddedPicture(of: Fixture.music(name), limit: 1 << 20))
      #expect(picture.mimeType == "image/jpeg" && picture.bytes.starts(with: [0xFF, 0xD8]))
      #expect(EmbeddedPicture(of: Fixture.music(name), limit: 100) == nil)
    }
    for name in ["a.opus", "a.ogg"] {
      let source = name.hasSuffix("opus") ? "02 Minuet in G.opus" : "01 Greensleeves.ogg"
      let picture = EmbeddedPicture(
        of: Fixture.music("Various Artists/Old Tunes, New Friends/\(source)"), limit: 1 << 20)
      if let picture { #expect(picture.bytes.starts(with: [0xFF, 0xD8])) }
    }
  }

  @Test func `The cache is limited, and does not keep pictures that were fetched to their end`() {
    let cache = PictureCache()
    func key(_ number: Int) -> PictureCache.Key {
      PictureCache.Key(path: FilePath("/\(number)"), modified: 0, isEmbedded: false)
    }
    for number in 0..<40 { cache.insert(Picture(bytes: [1], type: nil), key(number)) }
    #expect(cache.picture(key(0)) { nil } == nil && cache.picture(key(39)) { nil } != nil)
    cache.remove(key(39))
    #expect(cache.picture(key(39)) { nil } == nil)
    let large = Picture(bytes: [UInt8](repeating: 0, count: Picture.sizeLimit), type: nil)
    for number in 100..<104 { cache.insert(large, key(number)) }
    #expect(cache.picture(key(101)) { nil } == nil && cache.picture(key(103)) { nil } != nil)
  }
}
