import MusicModel
import QueueFlow
import Testing

@testable import RemoteControl

@Suite struct QueueAddingTests {
  private static let canon = RemoteLibraryRig.canon
  private static let parts = [
    "01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three",
    "04 Gymnopedie No. 1",
  ]

  @Test func `A directory and a file enter at the end, in order`() throws {
    let library = try RemoteLibraryRig()
    var client = try Conversation(library)
    #expect(try client.say("add \"\(Self.canon)\"") == [])
    #expect(try client.say("add \"\(RemoteLibraryRig.greensleeves)\"") == [])
    #expect(try client.queue() == Self.parts + ["01 Greensleeves"])
  }

  @Test(arguments: ["", "/"]) func `The root is the whole library`(_ root: String) throws {
    let library = try RemoteLibraryRig()
    var client = try Conversation(library)
    #expect(try client.say("add \"\(root)\"") == [])
    #expect(try client.queue().count == 16)
  }

  @Test func `Something enters at a place, or beside the current song`() throws {
    let library = try RemoteLibraryRig()
    var client = try Conversation(library)
    _ = try client.say("add \"\(Self.canon)\"")
    let song = "\"\(RemoteLibraryRig.greensleeves)\""
    #expect(try client.say("addid \(song) 1") == ["Id: 5"])
    #expect(try client.queue()[1] == "01 Greensleeves")
    #expect(try client.say("add \(song) +0") == ["ACK 55 No current song"])
    library.rig.actions.play(PlayQueue.Item.ID(rawValue: 3))
    #expect(try client.say("addid \(song) +0") == ["Id: 6"])
    #expect(try client.say("addid \(song) -0") == ["Id: 7"])
    #expect(try client.values("Id", "playlistinfo") == ["1", "5", "2", "7", "3", "6", "4"])
    #expect(try client.say("add \(song) +9") == ["ACK 2 Number too large: 9"])
    #expect(try client.say("add \(song) 8") == ["ACK 2 Number too large: 8"])
    #expect(try client.say("add \(song) -5") == ["ACK 2 Number too large: 5"])
    #expect(try client.say("add \(song) x") == ["ACK 2 Integer expected: x"])
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
  func `What is not in the library is refused`(_ line: String, _ answer: String) throws {
    let library = try RemoteLibraryRig()
    var client = try Conversation(library)
    #expect(try client.say(line).map { $0.hasPrefix(answer) } == [true])
    #expect(library.rig.queue.queue.items.isEmpty)
  }

  @Test func `A queue that would become too long stays as it is`() throws {
    let library = try RemoteLibraryRig(queueLimit: 5)
    var client = try Conversation(library)
    #expect(try client.say("add \"\(Self.canon)\"") == [])
    #expect(try client.say("add \"\(Self.canon)\"") == ["ACK 51 Playlist is too large"])
    #expect(try client.say("addid \"\(RemoteLibraryRig.greensleeves)\"") == ["Id: 5"])
    #expect(try client.say("addid \"\(RemoteLibraryRig.greensleeves)\"") == ["ACK 51 Playlist is too large"])
    #expect(try client.queue().count == 5)
  }

  @Test func `A list of commands sees what it has added`() throws {
    let library = try RemoteLibraryRig()
    var client = try Conversation(library)
    _ = try client.say("add \"\(Self.canon)\"")
    #expect(try client.say("play 3") == [])
    #expect(try client.values("song", "status") == ["3"])
    #expect(try client.say("setvol 40") == [])
    #expect(try client.say("getvol") == ["volume: 40"])
  }
}
