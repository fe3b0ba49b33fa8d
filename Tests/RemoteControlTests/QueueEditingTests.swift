// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct QueueEditingTests {
  /// Returns a server with a queue of `count` items, "1", "2" and so on, and a client of it.
  private static func client(_ count: Int) throws -> (RemoteRig, LineClient) {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(count), item: nil)
    return (rig, try LineClient(rig))
  }

  @Test(arguments: [
    ("delete 1", "1 3 4 5"), ("delete 1:3", "1 4 5"), ("delete 3:", "1 2 3"), ("delete 0:99", ""),
    ("delete -1", ""), ("delete 5", "1 2 3 4 5"), ("deleteid 2", "1 3 4 5"), ("clear", ""),
    ("move 0 4", "2 3 4 5 1"), ("move 4 0", "5 1 2 3 4"), ("move 0:2 3", "3 4 5 1 2"),
    ("move 2:4 0", "3 4 1 2 5"), ("move 1 1", "1 2 3 4 5"), ("moveid 5 1", "1 5 2 3 4"),
    ("swap 0 3", "4 2 3 1 5"), ("swapid 2 4", "1 4 3 2 5"), ("swap 2 2", "1 2 3 4 5"),
    ("shuffle 2:3", "1 2 3 4 5"),
  ])
  func `Items are removed and moved as requested`(_ line: String, _ result: String) throws {
    var (_, client) = try Self.client(5)
    #expect(try client.request(line) == [])
    #expect(try client.queue().joined(separator: " ") == result)
  }

  @Test(arguments: [
    // Relative to the third item, which is current.
    ("move 0 +0", "2 3 1 4 5"), ("move 0 +2", "2 3 4 5 1"), ("move 4 +0", "1 2 3 5 4"),
    ("move 4 -0", "1 2 5 3 4"), ("move 4 -2", "5 1 2 3 4"), ("move 0:2 -0", "1 2 3 4 5"),
    ("move 0:2 +1", "3 4 1 2 5"), ("moveid 1 +1", "2 3 4 1 5"),
  ])
  func `Items are moved to positions relative to the current one`(_ line: String, _ result: String) throws {
    var (rig, client) = try Self.client(5)
    rig.actions.play(PlayQueue.Item.ID(rawValue: 3))
    #expect(try client.request(line) == [])
    #expect(try client.queue().joined(separator: " ") == result)
  }

  @Test(arguments: [
    ("delete 6", "ACK 2 Bad song index"), ("delete 6:", "ACK 2 Bad song index"),
    ("delete 3:2", "ACK 2 Malformed range: 3:2"), ("delete x", "ACK 2 Integer or range expected: x"),
    ("delete 1:x", "ACK 2 Integer or range expected: 1:x"), ("delete -2", "ACK 2 Number is negative: -2"),
    ("deleteid 99", "ACK 50 No such song"), ("deleteid x", "ACK 2 Integer expected: x"),
    ("deleteid 99999999999999999999", "ACK 2 Integer expected: 99999999999999999999"),
    ("move 0 5", "ACK 2 Number too large: 5"), ("move 5 0", "ACK 2 Bad song index"),
    ("move 0:2 4", "ACK 2 Number too large: 4"), ("move 2:2 0", "ACK 2 Bad song index"),
    ("move 0: 0", "ACK 2 Open-ended range not supported"), ("move 0:9 0", "ACK 2 Bad song index"),
    ("move 0 +0", "ACK 55 No current song"), ("move 0 x", "ACK 2 Integer expected: x"),
    ("moveid 99 0", "ACK 50 No such song"), ("moveid 1 9", "ACK 2 Number too large: 9"),
    ("swap 0 5", "ACK 2 Bad song index"), ("swap x 1", "ACK 2 Integer expected: x"),
    ("swapid 1 99", "ACK 50 No such song"), ("shuffle 6:", "ACK 2 Bad song index"),
    ("shuffle x", "ACK 2 Integer or range expected: x"), ("prio 256 0", "ACK 2 Number too large: 256"),
    ("prio -1 0", "ACK 2 Number too large: -1"), ("prio 5 0 9", "ACK 2 Bad song index"),
    ("prioid 5 1 99", "ACK 50 No such song"), ("prio 5", "ACK 2 too few arguments for \"prio\""),
    ("addtagid 1 Title x", "ACK 4 Cannot edit tags of local file"),
    ("addtagid 1 Foo x", "ACK 2 Unknown tag type: Foo"), ("addtagid 99 Title x", "ACK 50 No such song"),
    ("cleartagid 1", "ACK 4 Cannot edit tags of local file"), ("cleartagid 99", "ACK 50 No such song"),
    ("cleartagid 1 Foo", "ACK 2 Unknown tag type: Foo"),
    ("rangeid 99 0:1", "ACK 50 No such song"), ("rangeid 1 1", "ACK 2 Bad range"),
    ("rangeid 1 2:1", "ACK 2 Bad range"), ("rangeid 1 1:1", "ACK 2 Bad range"),
    ("rangeid 1 -1:2", "ACK 2 Bad range"), ("rangeid 1 x:", "ACK 2 Bad range"),
    ("rangeid 1 nan:inf", "ACK 2 Bad range"), ("rangeid 1 99:", "ACK 2 Invalid start offset"),
    ("clear now", "ACK 2 wrong number of arguments for \"clear\""),
  ])
  func `Invalid requests are rejected and change nothing`(_ line: String, _ response: String) throws {
    var (rig, client) = try Self.client(5)
    let before = rig.queue.queue
    #expect(try client.request(line) == [response])
    #expect(rig.queue.queue == before)
  }

  @Test(arguments: ["shuffle", "shuffle 1:"])
  func `Shuffling is a single undo step, and moves the playing song to the front`(line: String) throws {
    var (rig, client) = try Self.client(40)
    rig.actions.play(PlayQueue.Item.ID(rawValue: 30))
    rig.playbackDispatcher.dispatch(.resume)
    let before = rig.queue.queue
    #expect(try client.request(line) == [])
    let queue = rig.queue.queue
    #expect(queue.undoable.count == before.undoable.count + 1 && queue.undoable.last == "shuffle")
    #expect(queue.items != before.items && queue.items.count == 40)
    rig.actions.undo()
    #expect(rig.queue.queue.items == before.items)
  }

  @Test func `A range is reported, and setting it is a single undo step`() throws {
    var (rig, client) = try Self.client(3)
    #expect(try client.request("rangeid 2 10.5:20") == [])
    let song = try client.request("playlistid 2")
    #expect(song.contains("Range: 10.500-20.000") && song.contains("duration: 9.500") && song.contains("Id: 2"))
    #expect(try client.request("rangeid 2 5:") == [])
    #expect(try client.values("Range", "playlistid 2") == ["5.000-"])
    #expect(try client.values("duration", "playlistid 2") == ["56.000"])
    // An end beyond the song means the end of the song.
    #expect(try client.request("rangeid 2 5:100") == [])
    #expect(try client.values("Range", "playlistid 2") == ["5.000-"])
    #expect(try client.request("rangeid 2 :") == [])
    #expect(try client.values("Range", "playlistid 2") == [])
    #expect(try client.values("duration", "playlistid 2") == ["61.000"])
    #expect(rig.queue.queue.undoable.last == "range")
    rig.actions.undo()
    #expect(try client.values("Range", "playlistid 2") == ["5.000-"])
    #expect(try client.queue() == ["1", "2", "3"])
  }

  @Test func `The current song cannot be moved relative to itself`() throws {
    var (rig, client) = try Self.client(5)
    rig.actions.play(PlayQueue.Item.ID(rawValue: 3))
    for line in ["move 2 +0", "move 1:4 -0", "moveid 3 +0"] {
      #expect(try client.request(line) == ["ACK 2 Cannot move current song relative to itself"])
    }
    #expect(try client.request("move 0 +3") == ["ACK 2 Number too large: 3"])
    #expect(try client.request("move 0 -2") == ["ACK 2 Number too large: 2"])
  }

  @Test func `A priority is stored and reported, unless it is 0`() throws {
    var (_, client) = try Self.client(4)
    #expect(try client.request("prio 7 0 2:4") == [])
    #expect(try client.values("Prio", "playlistinfo") == ["7", "7", "7"])
    #expect(try client.request("prioid 0 1 3") == [])
    #expect(try client.values("Prio", "playlistinfo") == ["7"])
  }

  @Test func `Shuffling moves the playing song to the front`() throws {
    var (rig, client) = try Self.client(50)
    let id = PlayQueue.Item.ID(rawValue: 20)
    rig.actions.play(id)
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    #expect(try client.request("shuffle") == [])
    #expect(rig.queue.queue.currentPosition == 0 && rig.queue.queue.current?.id == id)
    let order = try client.queue()
    #expect(order.sorted() == (1...50).map { "\($0)" }.sorted() && order != (1...50).map { "\($0)" })
  }

  @Test func `An edit is acknowledged once it is stored`() throws {
    var (rig, client) = try Self.client(5)
    #expect(try client.request("playlistinfo 0:1").count > 1 && rig.storedCount == 0)
    _ = try client.request("delete 0")
    #expect(rig.storedCount == 1)
    // A rejected command has edited nothing.
    _ = try client.request("delete 99")
    #expect(rig.storedCount == 1)
  }

  @Test func `Simultaneous edits of many clients are all applied`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(2_000), item: nil)
    let responses = Watched<[[String]]>([])
    let threads = try (0..<8).map { number in
      try WorkerThread(name: "client \(number)") {
        let result = Result {
          var client = try LineClient(rig)
          return try (0..<50).flatMap { _ in try client.request("delete 0") }
        }
        responses.change { $0.append((try? result.get()) ?? ["failed"]) }
      }
    }
    for thread in threads { #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000))) }
    #expect(responses.value == Array(repeating: [], count: 8))
    #expect(rig.queue.queue.items.count == 1_600)
    #expect(rig.queue.queue.items.first?.track.title == "Title 401")
  }
}

@Suite struct QueueAddingTests {
  private static let canon = RemoteLibraryRig.canon
  private static let parts = [
    "01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three",
    "04 Gymnopedie No. 1",
  ]

  @Test func `A directory and a file are added at the end, in order`() throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    #expect(try client.request("add \"\(Self.canon)\"") == [])
    #expect(try client.request("add \"\(RemoteLibraryRig.greensleeves)\"") == [])
    #expect(try client.queue() == Self.parts + ["01 Greensleeves"])
  }

  @Test(arguments: ["", "/"]) func `The root is the whole library`(_ root: String) throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    #expect(try client.request("add \"\(root)\"") == [])
    #expect(try client.queue().count == 16)
  }

  @Test func `A song is added at a position, or relative to the current song`() throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    _ = try client.request("add \"\(Self.canon)\"")
    let song = "\"\(RemoteLibraryRig.greensleeves)\""
    #expect(try client.request("addid \(song) 1") == ["Id: 5"])
    #expect(try client.queue()[1] == "01 Greensleeves")
    #expect(try client.request("add \(song) +0") == ["ACK 55 No current song"])
    library.rig.actions.play(PlayQueue.Item.ID(rawValue: 3))
    #expect(try client.request("addid \(song) +0") == ["Id: 6"])
    #expect(try client.request("addid \(song) -0") == ["Id: 7"])
    #expect(try client.values("Id", "playlistinfo") == ["1", "5", "2", "7", "3", "6", "4"])
    #expect(try client.request("add \(song) +9") == ["ACK 2 Number too large: 9"])
    #expect(try client.request("add \(song) 8") == ["ACK 2 Number too large: 8"])
    #expect(try client.request("add \(song) -5") == ["ACK 2 Number too large: 5"])
    #expect(try client.request("add \(song) x") == ["ACK 2 Integer expected: x"])
  }

  @Test(arguments: [
    ("add nosuch", "ACK 50 No such directory"), ("add ../x", "ACK 50 No such directory"),
    ("add /etc/passwd", "ACK 50 No such file"),
    ("add file:///etc/passwd", "ACK 50 No such file"),
    ("addid nosuch", "ACK 50 No such song"), ("addid \"\"", "ACK 50 No such song"),
    ("addid \"The Clockwork Consort\"", "ACK 50 No such song"),
    ("addid \"The Clockwork Consort/Ground and Air\"", "ACK 50 No such song"),
    ("add", "ACK 2 too few arguments for \"add\""), ("add a 1 2", "ACK 2 too many arguments for \"add\""),
  ])
  func `A name that is not in the library is rejected`(_ line: String, _ response: String) throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    #expect(try client.request(line).map { $0.hasPrefix(response) } == [true])
    #expect(library.rig.queue.queue.items.isEmpty)
  }

  @Test func `A request that would make the queue too long changes nothing`() throws {
    let library = try RemoteLibraryRig(queueLimit: 5)
    var client = try LineClient(library)
    #expect(try client.request("add \"\(Self.canon)\"") == [])
    #expect(try client.request("add \"\(Self.canon)\"") == ["ACK 51 Playlist is too large"])
    #expect(try client.request("addid \"\(RemoteLibraryRig.greensleeves)\"") == ["Id: 5"])
    #expect(try client.request("addid \"\(RemoteLibraryRig.greensleeves)\"") == ["ACK 51 Playlist is too large"])
    #expect(try client.queue().count == 5)
  }

  @Test func `Later commands see the tracks that earlier ones have added`() throws {
    let library = try RemoteLibraryRig()
    var client = try LineClient(library)
    _ = try client.request("add \"\(Self.canon)\"")
    #expect(try client.request("play 3") == [])
    #expect(try client.values("song", "status") == ["3"])
    #expect(try client.request("setvol 40") == [])
    #expect(try client.request("getvol") == ["volume: 40"])
  }
}
