// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

struct FileMovesTests {
  private func moves(_ scans: [[(String, String)]]) -> FileMoves {
    var moves = FileMoves(lastScan: 1)
    for (index, scan) in scans.enumerated() {
      moves.append(
        scan.map { former, present in
          FileMoves.Move(
            from: FilePath(former), to: FilePath(present), isDirectory: !former.hasSuffix(".flac"))
        }, of: Int64(index + 2))
    }
    return moves
  }

  @Test func `Files of one scan are moved at the same time, and those of several one after another`() {
    let swap = moves([[("/a.flac", "/b.flac"), ("/b.flac", "/a.flac")]])
    #expect(swap.present("/a.flac") == "/b.flac" && swap.present("/b.flac") == "/a.flac" && swap.lastScan == 2)
    let chain = moves([[("/a.flac", "/b.flac")], [("/b.flac", "/c.flac")], [("/x.flac", "/a.flac")]])
    #expect(chain.present("/a.flac") == "/c.flac" && chain.present("/x.flac") == "/a.flac")
    #expect(chain.present("/other.flac") == "/other.flac" && chain.lastScan == 4)
  }

  @Test func `A directory is moved with everything in it`() {
    let found = moves([
      [("/music/a.flac", "/music/x/b.flac")], [("/music", "/new")], [("/new/x/b.flac", "/new/c.flac")],
    ])
    #expect(found.present("/music/a.flac") == "/new/c.flac")
    #expect(found.present("/music/deep/1.flac") == "/new/deep/1.flac" && found.present("/musical/1") == "/musical/1")
  }

  @Test func `A queue follows with its history, once`() {
    var queue = PlayQueue()
    let tracks = ["/a/1.flac", "/a/2.flac", "/a/3.flac"].map { Track(path: FilePath($0), title: $0) }
    queue.reduce(.enqueue(TrackCollection(title: "A", tracks: tracks), item: 0))
    queue.reduce(.remove(.positions([2..<3])))
    let version = queue.version
    let found = moves([[("/a/2.flac", "/b/2.flac"), ("/a/3.flac", "/b/3.flac")]])
    queue.reduce(.moved(found))
    #expect(queue.items.map(\.track.path) == ["/a/1.flac", "/b/2.flac"])
    #expect(queue.version == version + 1 && queue.changes(since: version) == [0..<2])
    queue.reduce(.moved(moves([[("/b/2.flac", "/c/2.flac")]])))
    #expect(queue.items.map(\.track.path) == ["/a/1.flac", "/b/2.flac"])
    queue.reduce(.undo(steps: 1))
    #expect(queue.items.map(\.track.path) == ["/a/1.flac", "/b/2.flac", "/b/3.flac"])
    let restored = PlayQueue(queue.stored)
    #expect(restored?.lastScan == 2 && restored?.items.map(\.track.path) == queue.items.map(\.track.path))
  }
}
