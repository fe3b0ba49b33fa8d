// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage
  import TestSupport
  import Testing

  @testable import Platform

  extension ProgramLane {
    /// Reports of the changes in a directory tree.
    struct DirectoryTreeWatchTests {
      @Test func `A file that is created, changed and deleted is reported by its directory`() throws {
        let tree = try WatchedTree { try $0.makeDirectory("music/a/b") }
        #expect(tree.waitUntilStarted())
        try tree.write("a/b/song")
        #expect(tree.reportsChange("a/b"))
        tree.forget()
        try tree.write("a/b/song")
        #expect(tree.reportsChange("a/b"))
        tree.forget()
        try tree["a/b/song"].delete()
        #expect(tree.reportsChange("a/b"))
        #expect(tree.recorded.value.directories == [tree["a/b"]])
        tree.forget()
        try tree.directory.setPermissions(0o500, of: "music/a/b")
        #expect(tree.reportsChange("a", "a/b"))
      }

      @Test func `Changes in the root itself are reported`() throws {
        let tree = try WatchedTree()
        #expect(tree.waitUntilStarted())
        try tree.write("song")
        #expect(tree.reportsChange(""))
        #expect(tree.recorded.value.directories == [tree.root])
      }

      @Test func `A moved file is reported as a move`() throws {
        let tree = try WatchedTree { directory in
          try directory.write([1], to: "music/a/song")
          try directory.makeDirectory("music/b")
        }
        #expect(tree.waitUntilStarted())
        try tree.move("a/song", "a/other")
        #expect(tree.reportsMove("a/song", "a/other", isDirectory: false))
        tree.forget()
        try tree.move("a/other", "b/song")
        #expect(tree.reportsMove("a/other", "b/song", isDirectory: false))
        #expect(tree.recorded.value.directories == [tree["a"], tree["b"]])
      }

      @Test func `Everything below a moved directory moves with it`() throws {
        let tree = try WatchedTree { directory in
          try directory.makeDirectory("music/a/b/c")
          try directory.makeDirectory("music/d")
        }
        #expect(tree.waitUntilStarted())
        try tree.move("a/b", "d/e")
        #expect(tree.reportsMove("a/b", "d/e", isDirectory: true))
        #expect(tree.recorded.value.directories == [tree["a"], tree["d"]])
        #expect(try tree.isFollowed("d/e/c"))
        try tree.move("d/e", "f")
        try tree.write("f/c/another")
        #expect(tree.reportsMove("d/e", "f", isDirectory: true))
        #expect(tree.reportsChange("f/c"))
      }

      @Test func `Successive moves are reported in order`() throws {
        let tree = try WatchedTree(quiet: .milliseconds(200)) { try $0.makeDirectory("music/a/b") }
        #expect(tree.waitUntilStarted())
        try tree.move("a", "c")
        try tree.move("c/b", "c/d")
        try tree.move("c", "a")
        #expect(tree.reportsMove("c", "a", isDirectory: true))
        #expect(
          tree.recorded.value.moves == [
            .init(from: tree["a"], to: tree["c"], isDirectory: true),
            .init(from: tree["c/b"], to: tree["c/d"], isDirectory: true),
            .init(from: tree["c"], to: tree["a"], isDirectory: true),
          ])
        #expect(try tree.isFollowed("a/d"))
      }

      @Test func `A directory that leaves the tree is not followed, and may come back`() throws {
        let tree = try WatchedTree { directory in
          try directory.write([1], to: "music/a/b/song")
          try directory.makeDirectory("elsewhere")
        }
        #expect(tree.waitUntilStarted())
        try tree["a"].rename(to: tree.directory["elsewhere/a"])
        #expect(tree.reportsChange(""))
        #expect(tree.recorded.value.moves.isEmpty)
        tree.forget()
        try tree.directory.write([1], to: "elsewhere/a/b/unseen")
        try tree.directory["elsewhere/a"].rename(to: tree["z"])
        #expect(tree.reportsChange("", "z", "z/b"))
        #expect(tree.recorded.value.directories == [tree.root, tree["z"], tree["z/b"]])
        #expect(try tree.isFollowed("z/b"))
      }

      @Test func `A new directory at the path of a moved one is distinct from it`() throws {
        let tree = try WatchedTree { try $0.makeDirectory("music/a/b") }
        #expect(tree.waitUntilStarted())
        try tree.move("a", "c")
        try tree.directory.makeDirectory("music/a/b")
        #expect(tree.reportsMove("a", "c", isDirectory: true))
        #expect(tree.reportsChange("a", "a/b"))
        #expect(try tree.isFollowed("a/b"))
        #expect(try tree.isFollowed("c/b"))
      }

      @Test func `A deep directory that is created with its files is reported completely`() throws {
        let tree = try WatchedTree()
        #expect(tree.waitUntilStarted())
        var expected: [String] = []
        for first in 0..<4 {
          for second in 0..<10 {
            let name = "\(first)/\(second)/x/y/z"
            try tree.write(name + "/song")
            expected += ["\(first)", "\(first)/\(second)", name]
          }
        }
        let paths = expected.map { tree[$0] }
        #expect(tree.recorded.wait { $0.directories.isSuperset(of: paths) })
        for name in ["0/0/x/y/z", "3/9/x/y/z", "2/5"] { #expect(try tree.isFollowed(name)) }
      }

      @Test func `Directories that are created, renamed and filled quickly are all followed in the end`() throws {
        let tree = try WatchedTree()
        #expect(tree.waitUntilStarted())
        for number in 0..<30 {
          try tree.write("new/deep/a")
          try tree.move("new", "at\(number)")
          try tree.write("at\(number)/deep/b/c")
          try tree.move("at\(number)/deep", "at\(number)/done")
        }
        let expected = (0..<30).map { tree["at\($0)/done/b"] }
        #expect(
          tree.recorded.wait { recorded in
            expected.allSatisfy { path in
              recorded.directories.contains(path)
                || recorded.directories.contains { $0.string.hasSuffix("/b") }
                  && recorded.moves.contains { $0.to == path.removingLastComponent() }
            }
          })
        for number in stride(from: 0, to: 30, by: 9) { #expect(try tree.isFollowed("at\(number)/done/b")) }
      }

      @Test func `A burst of files gives a few reports`() throws {
        let tree = try WatchedTree(quiet: .seconds(2)) { try $0.makeDirectory("music/a") }
        #expect(tree.waitUntilStarted())
        try tree["a"].makeAndDeleteFiles(5000, deletingAtOnce: false)
        try tree.write("last/one")
        #expect(tree.reportsChange("a", "last"))
        #expect(tree.recorded.value.batches.count <= 5)
      }

      @Test func `Names keep their exact bytes`() throws {
        let tree = try WatchedTree()
        #expect(tree.waitUntilStarted())
        let name = try #require(FilePath(bytes: [0x6C, 0xE9, 0x0A, 0xFF]))
        try tree.directory.write([1], to: FilePath("music").pushing(name).appending("song"))
        let path = tree.root.pushing(name)
        #expect(tree.recorded.wait { $0.directories.contains(path) })
        let long = FilePath(String(repeating: "n", count: 255))
        try path.rename(to: tree.root.pushing(long))
        #expect(
          tree.recorded.wait { $0.moves.first?.from == path && $0.moves.first?.to == tree.root.pushing(long) })
      }

      @Test func `Ignored names, and everything below them, are not reported`() throws {
        let tree = try WatchedTree(
          prepare: { try $0.makeDirectory("music/.cache/a") }, ignoring: { $0.first == UInt8(ascii: ".") })
        #expect(tree.waitUntilStarted())
        try tree.write(".cache/a/song")
        try tree.write(".song.part")
        try tree.write(".new/song")
        try tree.move(".song.part", "song")
        #expect(tree.reportsChange(""))
        #expect(tree.recorded.value.directories == [tree.root])
        #expect(tree.recorded.value.moves.isEmpty)
        tree.forget()
        try tree.move(".new", "new")
        #expect(tree.reportsChange("", "new"))
      }

      @Test func `Hidden names are reported`() throws {
        let tree = try WatchedTree { try $0.makeDirectory("music/...And Justice") }
        #expect(tree.waitUntilStarted())
        #expect(try tree.isFollowed("...And Justice"))
        try tree.write(".new/song")
        #expect(tree.reportsChange("", ".new"))
      }

      @Test func `Links to directories are followed, and a directory is reported once`() throws {
        let tree = try WatchedTree { directory in
          try directory.makeDirectory("other/x")
          try directory.makeDirectory("music/b")
          try directory.link("music/a", to: "b")
          try directory.link("music/linked", to: "../other")
          try directory.link("music/round", to: "..")
          try directory.link("music/nowhere", to: "nothing")
        }
        #expect(tree.waitUntilStarted())
        #expect(try tree.isFollowed("b"))
        try tree.directory.write([1], to: "other/x/song")
        // The target of two links is reported by one of them.
        #expect(
          tree.recorded.wait {
            $0.directories.contains(tree["linked/x"]) || $0.directories.contains(tree["round/other/x"])
          })
      }

      @Test func `A link is followed as long as it exists`() throws {
        let tree = try WatchedTree { try $0.makeDirectory("other/x") }
        #expect(tree.waitUntilStarted())
        try tree.directory.link("music/linked", to: "../other")
        #expect(tree.reportsChange("", "linked", "linked/x"))
        #expect(try tree.isFollowed("linked/x"))
        tree.forget()
        try tree["linked"].delete()
        #expect(tree.reportsChange(""))
        tree.forget()
        try tree.directory.write([1], to: "other/x/unseen")
        try tree.write("a/song")
        #expect(tree.reportsChange("a"))
        #expect(tree.recorded.value.directories == [tree.root, tree["a"]])
      }

      @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
      func `A directory without read permission is followed once it is readable`() throws {
        let tree = try WatchedTree { directory in
          try directory.makeDirectory("music/a/b")
          try directory.makeDirectory("music/c")
          try directory.setPermissions(0, of: "music/a")
        }
        #expect(tree.waitUntilStarted())
        #expect(try tree.isFollowed("c"))
        tree.forget()
        try tree.directory.setPermissions(0o700, of: "music/a")
        #expect(tree.reportsChange("", "a", "a/b"))
        #expect(try tree.isFollowed("a/b"))
      }
    }
  }
#endif
