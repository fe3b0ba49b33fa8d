// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

/// Playlists follow each move exactly once, whenever the process that lets them follow is killed.
struct PlaylistFollowingTests {
  private let rig: ScanRig

  init() throws {
    rig = try ScanRig()
    for number in 1...3 { try rig.add("a/\(number).flac", album: "A", number) }
    for name in ["one", "two"] { try write(name, ["../a/1.flac", "../a/2.flac", "../a/3.flac"]) }
    try rig.scan()
  }

  private func write(_ list: String, _ lines: [String]) throws {
    let text = lines.map { $0 + "\n" }.joined()
    try rig.directory.write(Array(text.utf8), to: FilePath("music/Playlists/\(list).m3u8"))
  }

  private func lines(_ list: String) throws -> [String] {
    let text = try contents(of: rig.root.pushing(FilePath("Playlists/\(list).m3u8")))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Lets two files swap their names.
  private func swapFiles() throws {
    try rig.move("a/1.flac", to: "a/x.flac")
    try rig.move("a/2.flac", to: "a/1.flac")
    try rig.move("a/x.flac", to: "a/2.flac")
  }

  private static let swapped = ["../a/2.flac", "../a/1.flac", "../a/3.flac"]

  private func scanUnchecked() throws {
    _ = try rig.library().scan(progress: { _ in }, isCancelled: { false })
  }

  @Test(arguments: ["INSERT ON followed_playlist", "UPDATE ON followed_move", "DELETE ON followed_playlist"])
  func `A process that is killed while playlists are written is made up for, once`(change: String) throws {
    try swapFiles()
    try rig.refusing(change) { try scanUnchecked() }
    for _ in 0..<2 {
      try rig.scan()
      for list in ["one", "two"] { #expect(try lines(list) == Self.swapped) }
    }
    // The next swap counts again.
    try swapFiles()
    try rig.scan()
    #expect(try lines("one") == ["../a/1.flac", "../a/2.flac", "../a/3.flac"])
  }

  @Test func `A process that is killed between two playlists is made up for, once`() throws {
    try swapFiles()
    try rig.refusing("INSERT ON followed_playlist WHEN instr(NEW.path, CAST('two.m3u8' AS BLOB)) > 0") {
      try scanUnchecked()
    }
    #expect(try lines("one") == Self.swapped && lines("two") != Self.swapped)
    try rig.scan()
    for list in ["one", "two"] { #expect(try lines(list) == Self.swapped) }
  }

  @Test func `Moves that are found after a process was killed are followed as well`() throws {
    try swapFiles()
    try rig.refusing("UPDATE ON followed_move") { try scanUnchecked() }
    try rig.move("a/1.flac", to: "b/1.flac")
    try rig.scan()
    for list in ["one", "two"] { #expect(try lines(list) == ["../a/2.flac", "../b/1.flac", "../a/3.flac"]) }
  }

  @Test func `A playlist that is edited after a process was killed names the files that it named then`() throws {
    try rig.move("a/1.flac", to: "b/1.flac")
    try rig.refusing("UPDATE ON followed_move") { try scanUnchecked() }
    #expect(try lines("one") == ["../b/1.flac", "../a/2.flac", "../a/3.flac"])
    // The former path belongs to another file now, which is added.
    try rig.add("a/1.flac", album: "B", 9)
    try write("one", ["../b/1.flac", "../a/2.flac", "../a/3.flac", "../a/1.flac"])
    try rig.scan()
    #expect(try lines("one") == ["../b/1.flac", "../a/2.flac", "../a/3.flac", "../a/1.flac"])
  }

  @Test func `A command that reads a library that is up to date lets playlists follow, too`() throws {
    try rig.move("a/1.flac", to: "b/1.flac")
    try rig.refusing("INSERT ON followed_playlist") { try scanUnchecked() }
    _ = try rig.library().refresh()
    for list in ["one", "two"] { #expect(try lines(list) == ["../b/1.flac", "../a/2.flac", "../a/3.flac"]) }
  }

  @Test func `Two processes that let playlists follow at the same time do it once`() async throws {
    try swapFiles()
    try rig.refusing("INSERT ON followed_playlist") { try scanUnchecked() }
    let rig = rig
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { rig.library().followMoves() } }
    }
    for list in ["one", "two"] { #expect(try lines(list) == Self.swapped) }
  }
}
