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
    let root = directories.insertRoot(watch: 1)
    let a = directories.insert(watch: 2, parent: root, name: name("a"), isLinked: false)
    let b = directories.insert(watch: 3, parent: a, name: name("b"), isLinked: false)
    #expect(path(directories, root) == "/music")
    #expect(path(directories, b) == "/music/a/b")
    directories.move(a, to: root, name: name("z"), isLinked: false)
    #expect(path(directories, b) == "/music/z/b")
    #expect(directories.child(of: root, named: name("a")) == nil)
    #expect(directories.child(of: root, named: name("z")) == a)
    #expect(Set(directories.remove(a)) == [2, 3])
    #expect(directories.directory(watch: 3) == nil)
    #expect(directories.watches == [1])
  }

  @Test func `After any insertions, moves and removals, it agrees with a plain table`() {
    var generator = SeededGenerator(seed: 3)
    var directories = WatchedDirectories(root: [UInt8(ascii: "/")])
    let root = directories.insertRoot(watch: 0)
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
      guard let parentID = directories.directory(watch: parent) else {
        Issue.record("the directory with watch \(parent) is missing")
        return
      }
      let isTaken = plain.values.contains { $0.parent == parent && $0.name == newName }
      #expect((directories.child(of: parentID, named: name(newName)) != nil) == isTaken)
      if isTaken { continue }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<7:
        _ = directories.insert(watch: step, parent: parentID, name: name(newName), isLinked: false)
        plain[step] = (parent, newName)
      case 7..<9:
        guard let moved = plain.keys.sorted().randomElement(using: &generator), !isBelow(parent, moved),
          let id = directories.directory(watch: moved)
        else { continue }
        directories.move(id, to: parentID, name: name(newName), isLinked: false)
        plain[moved] = (parent, newName)
      default:
        guard let gone = plain.keys.sorted().randomElement(using: &generator),
          let id = directories.directory(watch: gone)
        else { continue }
        let below = plain.keys.filter { isBelow($0, gone) }
        #expect(Set(directories.remove(id)) == Set(below))
        for watch in below { plain[watch] = nil }
      }
      #expect(directories.count == plain.count + 1)
    }
    #expect(Set(directories.watches) == Set(plain.keys).union([0]))
    for (watch, place) in plain {
      let id = directories.directory(watch: watch)
      #expect(
        id != nil
          && id
            == directories.directory(watch: place.parent).flatMap {
              directories.child(of: $0, named: name(place.name))
            }
      )
    }
    _ = directories.remove(root)
    #expect(directories.count == 0)
  }
}
