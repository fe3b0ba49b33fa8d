// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Platform

struct WatchedDirectoriesTests {
  private func name(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  private func path(_ directories: WatchedDirectories, _ id: Int32) -> String {
    String(decoding: directories.pathBytes(of: id), as: UTF8.self)
  }

  @Test func `Paths are those of the directories' present places`() {
    var directories = WatchedDirectories(root: Array("/music".utf8))
    let (root, a, b): (Int32, Int32, Int32) = (1, 2, 3)
    directories.insertRoot(root)
    directories.insert(a, in: root, name: name("a"), isLinked: false)
    directories.insert(b, in: a, name: name("b"), isLinked: false)
    #expect(path(directories, root) == "/music")
    #expect(path(directories, b) == "/music/a/b")
    directories.move(a, to: root, name: name("z"), isLinked: false)
    #expect(path(directories, b) == "/music/z/b")
    #expect(directories.child(of: root, named: name("a")) == nil)
    #expect(directories.child(of: root, named: name("z")) == a)
    #expect(Set(directories.remove(a)) == [2, 3])
    #expect(!directories.contains(b))
    #expect(directories.watches == [root])
  }

  @Test func `After any insertions, moves and removals, it agrees with a plain table`() {
    var generator = SeededGenerator(seed: 3)
    var directories = WatchedDirectories(root: [UInt8(ascii: "/")])
    directories.insertRoot(0)
    // By watch: the watch of the parent and the name.
    var plain: [Int32: (parent: Int32, name: String)] = [:]
    func isBelow(_ watch: Int32, _ other: Int32) -> Bool {
      var next = watch
      while next != 0 {
        if next == other { return true }
        next = plain[next]?.parent ?? 0
      }
      return false
    }
    for step in Int32(1)...1000 {
      let all = plain.keys.sorted() + [0]
      let parent = all.randomElement(using: &generator) ?? 0
      let newName = "n\(Int.random(in: 0...400, using: &generator))"
      let isTaken = plain.values.contains { $0.parent == parent && $0.name == newName }
      #expect((directories.child(of: parent, named: name(newName)) != nil) == isTaken)
      if isTaken { continue }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<7:
        directories.insert(step, in: parent, name: name(newName), isLinked: false)
        plain[step] = (parent, newName)
      case 7..<9:
        guard let moved = plain.keys.sorted().randomElement(using: &generator), !isBelow(parent, moved) else {
          continue
        }
        directories.move(moved, to: parent, name: name(newName), isLinked: false)
        plain[moved] = (parent, newName)
      default:
        guard let removed = plain.keys.sorted().randomElement(using: &generator) else { continue }
        let below = plain.keys.filter { isBelow($0, removed) }
        #expect(Set(directories.remove(removed)) == Set(below))
        for watch in below { plain[watch] = nil }
      }
      #expect(directories.count == plain.count + 1)
    }
    #expect(Set(directories.watches) == Set(plain.keys).union([0]))
    for (watch, entry) in plain {
      #expect(directories.parent(of: watch) == entry.parent)
      #expect(directories.child(of: entry.parent, named: name(entry.name)) == watch)
    }
    _ = directories.remove(0)
    #expect(directories.count == 0)
  }
}
