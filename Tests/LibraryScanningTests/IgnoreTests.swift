// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

/// Rules by which files are left out of a library.
struct IgnoreTests {
  private let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Adds files that belong to one album.
  private func add(_ names: String...) throws {
    for (index, name) in names.enumerated() { try rig.add(name, album: "A", index + 1) }
  }

  private func write(_ text: String, to name: String) throws {
    try rig.directory.write(Array(text.utf8), to: FilePath("music").pushing(FilePath(name)))
  }

  /// Returns the paths of all tracks.
  private func paths() throws -> [String] {
    try rig.rows(
      """
      SELECT iif(path = '', name, CAST(path || '/' || name AS TEXT))
      FROM track JOIN directory ON directory.id = directory ORDER BY 1
      """)
  }

  private func library(ignoring patterns: String...) -> IndexedLibrary {
    IndexedLibrary(index: rig.index, roots: LibraryRoots(rig.root), ignoredPatterns: patterns)
  }

  @Test func `Files and directories whose names begin with a full stop are included`() throws {
    try add("...And You Will Know Us/1.flac", ".38 Special.flac", "...And Justice for All/.1.flac")
    let summary = try rig.scan()
    #expect(summary.addedCount == 3 && summary.leftOutCount == 0)
    #expect(try rig.update("...And You Will Know Us").unchangedCount == 1)
  }

  @Test(arguments: [
    ".git", ".Trash", ".Trash-1000", ".Trashes", ".stfolder", ".stversions", "@eaDir", "#recycle", "$RECYCLE.BIN",
    "lost+found", "._album", ".segue-17-42",
  ])
  func `A directory of another program is left out with its contents, and counts once`(name: String) throws {
    try add("\(name)/deep/1.flac", "b/\(name)/2.flac", "b/3.flac")
    let summary = try rig.scan()
    #expect(summary.addedCount == 1 && summary.leftOutCount == 2)
    #expect(try paths() == ["b/3.flac"])
    #expect(try rig.update("\(name)/deep").addedCount == 0)
  }

  @Test func `An AppleDouble file is left out and reported`() throws {
    try add("a/1.flac", "a/._1.flac")
    try write("", to: "a/._notes.txt")
    let changes = Mutex<[FileChange]>([])
    let library = library()
    library.onFileChange { change in changes.withLock { $0.append(change) } }
    let summary = try library.scan(progress: { _ in }, isCancelled: { false })
    #expect(summary.addedCount == 1 && summary.leftOutCount == 1)
    let leftOut = changes.withLock { $0.filter { $0.kind == .leftOut } }
    #expect(leftOut.map(\.description) == ["ignored \(rig.root)/a/._1.flac"])
  }

  @Test func `A directory is left out as long as it contains a .nomedia file`() throws {
    try add("a/1.flac", "b/deep/2.flac")
    try rig.scan()
    try write("", to: "b/.nomedia")
    let summary = try rig.update("b")
    #expect(summary.missingCount == 1 && summary.leftOutCount == 1)
    #expect(try rig.update("b/deep").addedCount == 0)
    #expect(try rig.scan().leftOutCount == 1)
    #expect(try paths() == ["a/1.flac"])
    try rig.remove("b/.nomedia")
    #expect(try rig.update("b").addedCount == 1)
    #expect(try paths() == ["a/1.flac", "b/deep/2.flac"])
  }

  @Test func `Patterns in .mpdignore apply to its directory and below, not elsewhere`() throws {
    try add("a/1.flac", "a/demo 1.flac", "a/deep/demo 2.flac", "a/Bonus/3.flac", "b/demo 4.flac", "a/#1.flac")
    try write("# not this\n  demo*  \r\n\nBon?s\n[x-z]*\n#1*\n", to: "a/.mpdignore")
    let summary = try rig.scan()
    #expect(summary.leftOutCount == 3 && summary.problemCount == 0)
    #expect(try paths() == ["a/#1.flac", "a/1.flac", "b/demo 4.flac"])
    try add("a/deep/demo 5.flac")
    #expect(try rig.update("a/deep").addedCount == 0)
    #expect(try rig.scan().unchangedCount == 3)
  }

  @Test func `A changed .mpdignore applies below its directory as soon as the directory is read`() throws {
    try add("a/1.flac", "a/deep/demo.flac", "b/1.flac")
    try rig.scan()
    try write("demo*\n", to: "a/.mpdignore")
    #expect(try rig.update("a").missingCount == 1)
    try write("nothing of this name\n", to: "a/.mpdignore")
    #expect(try rig.update("a").addedCount == 1)
    try write("1.flac", to: "a/.mpdignore")
    #expect(try rig.update("a").missingCount == 1)
    try rig.remove("a/.mpdignore")
    #expect(try rig.update("a").addedCount == 1)
    #expect(try paths() == ["a/1.flac", "a/deep/demo.flac", "b/1.flac"])
  }

  @Test func `A .mpdignore beside a cue sheet does not affect the sheet`() throws {
    try add("a/2.flac")
    try rig.directory.write(SoundBytes.flac([], seconds: 60), to: "music/a/1.flac")
    try write(
      """
      FILE "1.flac" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 01 00:20:00

      """, to: "a/x.cue")
    try write("2*\n", to: "a/.mpdignore")
    try rig.scan()
    #expect(try rig.rows("SELECT title FROM track ORDER BY title") == ["One", "Two"])
    #expect(try rig.rows("SELECT name FROM sheet ORDER BY name") == [".mpdignore", "x.cue"])
    #expect(try rig.scan().unchangedCount == 2)
  }

  @Test func `An unreadable .mpdignore is a problem and leaves nothing out`() throws {
    try add("a/1.flac")
    try rig.directory.makeFIFO("music/a/.mpdignore")
    try write(String(repeating: "*\n", count: ScanRules.sizeLimit), to: "b/.mpdignore")
    try add("b/1.flac")
    let summary = try rig.scan()
    #expect(summary.addedCount == 2 && summary.problemCount == 2)
  }

  @Test func `Names that a setting lists are left out, too`() throws {
    try add("Podcasts/1.flac", "a/1.flac", "a/2.part.flac")
    let summary = try library(ignoring: "Podcasts", "*.part.*").scan(progress: { _ in }, isCancelled: { false })
    #expect(summary.addedCount == 1 && summary.leftOutCount == 2)
    #expect(try paths() == ["a/1.flac"])
  }
}
