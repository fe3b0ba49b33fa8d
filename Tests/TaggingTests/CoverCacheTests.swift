// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Tagging

@Suite struct CoverCacheTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture".utf8)

  /// Writes a FLAC file that contains this picture.
  private func track(_ name: String, _ picture: [UInt8]) throws -> FilePath {
    try directory.write(SoundBytes.flac(picture: picture, type: "image/jpeg"), to: name)
  }

  private var copies: [FilePath] {
    let entries = (try? DirectoryListing(of: directory["cache/covers"]).entries) ?? []
    return entries.map { directory["cache/covers"].appending($0.name) }
  }

  @Test func `A picture is copied once for all files that contain it, and only its owner can read the copy`() throws {
    let cache = CoverCache(in: directory["cache"])
    let (first, second) = (try track("a/1.flac", Self.jpeg), try track("a/2.flac", Self.jpeg))
    try directory.write([1], to: "a/cover.png")
    let copy = try #require(cache.file(of: first))
    #expect(copy.extension == "jpg" && copies == [copy])
    #expect(try contents(of: copy) == Self.jpeg)
    let name = "cache/covers/\(copy.lastComponent?.string ?? "")"
    #expect(try directory.permissions(of: name) == 0o600)
    #expect(cache.file(of: second) == copy && copies == [copy])
    // A damaged or missing copy is written again.
    try directory.write([1, 2, 3], to: name)
    #expect(cache.file(of: first) == copy)
    #expect(try contents(of: copy) == Self.jpeg)
    try AtomicFile.remove(copy)
    #expect(cache.file(of: first) == copy && copies == [copy])
  }

  @Test func `The picture that a server has sent is found by its address, also by another process`() throws {
    let cache = CoverCache(in: directory["cache"])
    let addresses = try ["http://host/a", "http://host/b"].map { try #require(StreamAddress($0)) }
    #expect(cache.file(of: addresses[0].path) == nil)
    cache.store(Self.jpeg, of: addresses[0])
    cache.store(Array("<html>".utf8), of: addresses[1])
    let copy = try #require(CoverCache(in: directory["cache"]).file(of: addresses[0].path))
    #expect(try contents(of: copy) == Self.jpeg && copies == [copy])
    #expect(cache.file(of: addresses[1].path) == nil)
  }

  @Test func `Without a picture in the file, the one in its directory is used, if any`() throws {
    let cache = CoverCache(in: directory["cache"])
    let plain = try directory.write(SoundBytes.flac([("TITLE", "a")]), to: "a/1.flac")
    let unknown = try track("b/1.flac", Array("<html>".utf8))
    #expect(cache.file(of: plain) == nil && cache.file(of: unknown) == nil && cache.file(of: "1.flac") == nil)
    #expect(cache.file(of: directory["none"]) == nil)
    try directory.write([1], to: "b/Folder.JPG")
    let second = try track("b/2.flac", Array("<html>".utf8))
    #expect(cache.file(of: second) == directory["b/Folder.JPG"])
    #expect(copies.isEmpty)
  }

  @Test func `Copies that are old or exceed the limits are removed, and other files are not`() throws {
    let cache = CoverCache(in: directory["cache"], .init(count: 3, bytes: 1 << 20))
    try directory.write([1], to: "cache/covers/mine.jpg")
    for number in 1...5 {
      let track = try track("\(number).flac", Self.jpeg + [UInt8(number)])
      #expect(cache.file(of: track) != nil)
    }
    #expect(copies.count == 4 && copies.contains { $0.lastComponent == "mine.jpg" })
    let small = CoverCache(in: directory["cache"], .init(bytes: 20))
    let last = try #require(small.file(of: directory["5.flac"]))
    #expect(copies.count == 2 && copies.contains(last))
    // With a negative limit, all copies but the requested one are too old.
    let aged = CoverCache(in: directory["cache"], .init(age: -1))
    let first = try #require(aged.file(of: directory["1.flac"]))
    #expect(Set(copies) == [first, directory["cache/covers/mine.jpg"]])
  }
}

struct CoverFileTests {
  @Test func `The best name is found in any letter case, if it is a regular file that is not too large`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("a/cover.jpg")
    try directory.makeFIFO("a/folder.jpg")
    try directory.write([1], to: "a/Cover.txt")
    try directory.write([1, 2, 3], to: "a/cover.png")
    #expect(CoverFile(in: directory["a"], reach: .anywhere, limit: 2) == nil)
    try directory.write([4], to: "a/FRONT.Jpeg")
    #expect(CoverFile(in: directory["a"], reach: .anywhere, limit: 2)?.path == directory["a/FRONT.Jpeg"])
    #expect(CoverFile(in: directory["a"], reach: .anywhere, limit: 3)?.path == directory["a/cover.png"])
    #expect(CoverSource().picture(of: directory["a/1.flac"], limit: 3) == [1, 2, 3])
    #expect(CoverFile(in: directory["none"], reach: .anywhere, limit: 3) == nil)
  }
}
