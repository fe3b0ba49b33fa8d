// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Testing

@testable import Tagging

@Suite struct LibraryRootsTests {
  @Test func `Paths in a single directory are relative to it`() throws {
    let roots = LibraryRoots("/m")
    #expect(roots.isSingle && roots.all[0].name == nil && "\(roots)" == "/m")
    #expect(roots.relative("/m/a/b") == "a/b" && roots.relative("/m") == "" && roots.relative("/mm/a") == nil)
    #expect(roots.absolute("a/b") == "/m/a/b" && roots.absolute("") == "/m")
    #expect(LibraryRoots([]) == nil)
  }

  @Test func `Paths in several directories begin with their names, and equal names are numbered`() throws {
    let roots = LibraryRoots("/home/Music", ["/srv/Music", "/srv/Music (2)", "/x/music", "/mnt/Music"])
    #expect(
      roots.all.map(\.name?.string) == ["Music", "Music (2)", "Music (2) (2)", "music", "Music (3)"])
    #expect(roots.relative("/srv/Music/a") == "Music (2)/a" && roots.relative("/srv/Music") == "Music (2)")
    #expect(roots.absolute("Music (2)/a") == "/srv/Music/a" && roots.absolute("Music (2)") == "/srv/Music")
    #expect(roots.absolute("") == nil && roots.absolute("nope/a") == nil && roots.relative("/srv/x") == nil)
    #expect(roots.first == "/home/Music")
    #expect("\(LibraryRoots("/a", ["/b", "/c"]))" == "/a, /b and /c")
  }

  @Test func `A directory that is listed twice, or is within another, counts once`() throws {
    #expect(LibraryRoots("/m", ["/m/", "/m/./"]).isSingle)
    #expect(LibraryRoots("/m/jazz", ["/m", "/n", "/m/pop"]).paths == ["/m", "/n"])
    #expect(LibraryRoots("/music", ["/music2"]).paths == ["/music", "/music2"])
    #expect(LibraryRoots("/", ["/n"]).paths == ["/"])
  }

  @Test func `A name that is not valid UTF-8 keeps its bytes`() throws {
    let path = FilePath(systemBytes: Array("/x/".utf8) + [0xFF])
    let roots = LibraryRoots(path, ["/y"])
    let relative = try #require(roots.relative(path.appending("a")))
    #expect(relative.systemBytes == [0xFF] + Array("/a".utf8))
    #expect(roots.absolute(relative) == path.appending("a"))
  }
}
