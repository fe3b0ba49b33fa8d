// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryScanning
@testable import MusicModel

/// Scans of files whose tags do not state the encoding of their text.
@Suite struct UndecodedTextScanTests {
  private let rig: ScanRig

  init() throws { rig = try ScanRig() }

  private func add(_ name: String, _ title: String, _ artist: String, _ set: LegacyText.CharacterSet?) throws {
    let encoding = set.map { LegacyText.Encoding.other($0) } ?? .windows1252
    let fields = try [title, artist].map { try #require(LegacyText.encode($0, as: encoding)) }
    try rig.directory.write(
      SoundBytes.wav(info: [("INAM", fields[0]), ("IART", fields[1])]), to: FilePath("music").pushing(FilePath(name)))
  }

  private func titles() throws -> Set<String> {
    try rig.scan()
    let albums = try LibraryScanner().scan(rig.root).albums
    return Set(albums.flatMap(\.tracks).map(\.title))
  }

  @Test func `The fields of a directory decide for files that are too short to tell`() throws {
    try add("a/1.wav", "Мы", "DDT", .koi8R)
    try add("a/2.wav", "Это всё", "ДДТ", .koi8R)
    try add("a/3.wav", "Актриса Весна", "ДДТ", .koi8R)
    try add("a/4.wav", "Björk", "Sigur Rós", nil)
    try add("b/1.wav", "月亮代表我的心", "邓丽君", .gb18030)
    try add("b/2.wav", "爱", "邓丽君", .gb18030)
    try add("b/3.wav", "Motörhead", "Mötley Crüe", nil)
    try add("c/1.wav", "Jóga", "Björk", nil)
    #expect(
      try titles() == ["Мы", "Это всё", "Актриса Весна", "Björk", "月亮代表我的心", "爱", "Motörhead", "Jóga"])
  }

  @Test func `The fields of files that are unchanged decide for one that is added`() throws {
    try add("a/1.wav", "Это всё", "ДДТ", .koi8R)
    try add("a/2.wav", "Актриса Весна", "ДДТ", .koi8R)
    try rig.scan()
    try add("a/3.wav", "Мы", "DDT", .koi8R)
    try add("a/4.wav", "Björk", "Sigur Rós", nil)
    try rig.scan()
    #expect(try rig.rows("SELECT title FROM track ORDER BY name") == ["Это всё", "Актриса Весна", "Мы", "Björk"])
  }
}
