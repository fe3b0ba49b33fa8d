// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import DesktopControl

@Suite struct TrackWindowTests {
  private func collection(_ numbers: ClosedRange<Int>) -> TrackCollection {
    TrackCollection(
      title: "T", tracks: numbers.map { Track(path: FilePath("/music/\($0).flac"), title: "Title \($0)") })
  }

  private func queue(_ count: Int, current: Int? = 0) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(collection(1...count), item: current))
    return queue
  }

  /// Returns the changes that are signalled when `actions` change `queue`.
  private func changes(_ queue: PlayQueue, _ actions: QueueAction...) -> [TrackWindow.Change] {
    var after = queue
    for action in actions { after.reduce(action) }
    let window = TrackWindow(queue)
    return window.shows(after) ? [] : TrackWindow(after).changes(since: window, in: after)
  }

  private func path(_ number: Int) -> String { "/org/segue/Item/\(number)" }

  @Test func `Added and removed items are signalled one by one`() {
    let queue = queue(3)
    let title = { (change: TrackWindow.Change) -> String? in
      guard case .added(let metadata, let previous) = change,
        case .text(let title)? = metadata.entries.first(where: { $0.key == "xesam:title" })?.value
      else { return nil }
      return "\(title) behind \(previous)"
    }
    let added = changes(queue, .add(collection(8...9), at: .position(1)))
    #expect(added.map(title) == ["Title 8 behind \(path(1))", "Title 9 behind \(path(4))"])
    let first = changes(queue, .add(collection(8...8), at: .position(0)))
    #expect(first.map(title) == ["Title 8 behind \(TrackWindow.noTrack)"])
    #expect(changes(queue, .remove(.positions([0..<2]))) == [.removed(path(1)), .removed(path(2))])
    #expect(changes(queue, .clear).count == 3)
    let moved = changes(queue, .move(.positions([0..<1]), to: 2))
    #expect(moved.count == 2 && moved.first == .removed(path(1)))
  }

  @Test func `The current item and the modes do not change the list`() {
    let queue = queue(3)
    #expect(changes(queue, .play(queue.items.id(at: 2), from: .zero)).isEmpty)
    #expect(changes(queue, .setRandom(.tracks, seed: 1), .setRepeat(.all)).isEmpty)
  }

  @Test func `Many changes at once replace the list`() {
    let queue = queue(40, current: 3)
    #expect(changes(queue, .remove(.positions([20..<40]))) == [.replaced((1...20).map(path), current: path(4))])
  }

  @Test func `Of a long queue, the part around the current item is shown, and that part seldom changes`() {
    let queue = queue(10_000, current: 0)
    #expect(TrackWindow(queue).objectPaths == (1...1000).map(path))
    #expect(changes(queue, .play(queue.items.id(at: 499), from: .zero)).isEmpty)
    let far = changes(queue, .play(queue.items.id(at: 5_120), from: .zero))
    #expect(far == [.replaced((4_751...5_750).map(path), current: path(5_121))])
    let last = changes(queue, .play(queue.items.id(at: 9_999), from: .zero))
    #expect(last == [.replaced((9_001...10_000).map(path), current: path(10_000))])
  }

  @Test func `Only object paths of items name an item`() {
    #expect(PlayQueue.Item.ID(objectPath: path(7))?.rawValue == 7)
    for text in ["", "/", TrackWindow.noTrack, path(7) + "x", "/org/segue/Item/", "/org/segue/Item/-1"] {
      #expect(PlayQueue.Item.ID(objectPath: text) == nil, "\(text)")
    }
  }

  @Test func `The location of a bus is the first socket in its address`() {
    #expect(BusLocation(address: "unix:path=/run/user/1000/bus").file == "/run/user/1000/bus")
    #expect(BusLocation(address: "tcp:host=x;unix:guid=ab,path=/tmp/a%20b,x=1;unix:path=/c").file == "/tmp/a b")
    for address in ["", "nonsense", "unix:abstract=/tmp/x", "unix:path=", "unix:path=bus", "tcp:host=a"] {
      #expect(BusLocation(address: address) == .elsewhere, "\(address)")
    }
    #expect(!BusLocation(address: "unix:path=/nonexistent/bus").mayExist && BusLocation(address: "tcp:host=a").mayExist)
  }
}

extension ProgramLane {
  /// The track list of a player on a bus, files that the desktop opens, and a bus that is started late or restarted.
  @Suite(.serialized, .enabled(if: SessionBus.isInstalled, Comment(rawValue: SessionBus.reason)))
  struct DesktopTracksTests {
    private static let trackList = "org.mpris.MediaPlayer2.TrackList"

    /// Calls `body` with a player that is playing on a bus.
    private func withPlayer(_ rig: DesktopRig, _ body: (SessionBus) throws -> Void) throws {
      let bus = try SessionBus()
      let player = rig.player(at: bus.address)
      defer { player.shutDown() }
      rig.start()
      #expect(try bus.awaitPlayer())
      try body(bus)
    }

    private func paths(_ rig: DesktopRig) -> [String] { rig.queue.queue.items.map(\.objectPath) }

    @Test func `The track list is the queue, with the metadata of each track`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus in
        let tracks = try bus.call("org.freedesktop.DBus.Properties.Get", "string:\(Self.trackList)", "string:Tracks")
        #expect(
          tracks.split(separator: "object path ").dropFirst().map { $0.prefix { $0 != "\n" } }
            == paths(rig).map { "\"\($0)\"" })
        let metadata = try bus.call(
          "\(Self.trackList).GetTracksMetadata",
          "array:objpath:\(paths(rig)[2]),/org/segue/Item/99,\(paths(rig)[0])")
        let titles = metadata.split(separator: "string \"Title ").dropFirst().map { $0.prefix(1) }
        #expect(titles == ["3", "1"], "\(metadata)")
        #expect(metadata.contains("int64 60000000"))
        let all = try bus.call("org.freedesktop.DBus.Properties.GetAll", "string:\(Self.trackList)")
        let canEdit = try #require(all.split(separator: "\"CanEditTracks\"").last).prefix(60)
        #expect(canEdit.contains("boolean true"))
      }
    }

    @Test func `GoTo plays a track, RemoveTrack removes one, and unknown paths change nothing`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus in
        let itemPaths = paths(rig)
        try bus.call("\(Self.trackList).GoTo", "objpath:\(itemPaths[2])")
        #expect(rig.queue.queue.currentPosition == 2)
        try bus.call("\(Self.trackList).RemoveTrack", "objpath:\(itemPaths[0])")
        #expect(paths(rig) == Array(itemPaths.dropFirst()))
        for path in [itemPaths[0], "/org/segue/Item/99", TrackWindow.noTrack] {
          try bus.call("\(Self.trackList).GoTo", "objpath:\(path)")
          try bus.call("\(Self.trackList).RemoveTrack", "objpath:\(path)")
        }
        #expect(paths(rig) == Array(itemPaths.dropFirst()) && rig.queue.queue.currentPosition == 1)
      }
    }

    @Test func `Opened and added files are loaded at the requested position`() throws {
      let directory = try TemporaryDirectory()
      try directory.write([1], to: "Blå täg/1 %.flac")
      let album = directory["Blå täg"]
      let file = album.appending("1 %.flac")
      let uri = "file://\(directory.path)/Bl%C3%A5%20t%c3%a4g"
      let rig = DesktopRig()
      try withPlayer(rig) { bus in
        let itemPaths = paths(rig)
        try bus.playerctl("open", "\(uri)/1%20%25.flac")
        #expect(
          rig.loadRequests.wait { $0 == [.init(path: file, destination: .replacing)] }, "\(rig.loadRequests.value)")
        rig.loadRequests.change { $0 = [] }
        try bus.call("\(Self.trackList).AddTrack", "string:\(uri)", "objpath:\(TrackWindow.noTrack)", "boolean:false")
        try bus.call("\(Self.trackList).AddTrack", "string:\(uri)", "objpath:\(itemPaths[0])", "boolean:true")
        try bus.call("\(Self.trackList).AddTrack", "string:\(uri)", "objpath:/none", "boolean:false")
        #expect(
          rig.loadRequests.value.map(\.destination) == [
            .position(0, plays: false), .position(1, plays: true), .position(3, plays: false),
          ])
        #expect(rig.loadRequests.value.allSatisfy { $0.path == album })
        for invalidURI in ["ftp://example.org/", "file:///nonexistent", "a.flac"] {
          #expect(throws: (any Error).self) {
            try bus.call(
              "\(Self.trackList).AddTrack", "string:\(invalidURI)", "objpath:\(itemPaths[0])", "boolean:true")
          }
        }
        #expect(rig.loadRequests.value.count == 3)
      }
    }

    @Test func `Edits of the queue are signalled one by one, or as a new list`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus in
        try bus.recordSignals()
        let track = Track(path: "/music/new.flac", title: "New one")
        rig.queueDispatcher.dispatch(.add(TrackCollection(title: "", tracks: [track]), at: .position(1)))
        #expect(try eventually { try bus.recordedSignals.contains("member=TrackAdded") })
        #expect(try eventually { try bus.recordedSignals.contains("New one") })
        rig.queueDispatcher.dispatch(.remove(.positions([1..<2])))
        #expect(try eventually { try bus.recordedSignals.contains("member=TrackRemoved") })
        let many = (1...40).map { Track(path: FilePath("/music/\($0).flac"), title: "Many \($0)") }
        rig.queueDispatcher.dispatch(.add(TrackCollection(title: "", tracks: many), at: .end))
        #expect(try eventually { try bus.recordedSignals.contains("member=TrackListReplaced") })
        #expect(try bus.recordedSignals.contains("string \"Tracks\""))
      }
    }

    @Test func `A bus that is started late or restarted has the player too`() throws {
      let rig = DesktopRig()
      let bus = try SessionBus(isStarted: false)
      let player = rig.player(at: bus.address)
      defer { player.shutDown() }
      rig.start()
      for _ in 1...3 {
        try bus.start()
        #expect(try bus.awaitPlayer())
        #expect(try bus.playerctl("metadata", "xesam:title") == "Title 1")
        rig.reportElapsed(.seconds(20))
        bus.kill()
      }
      #expect(player.shutDown(within: 60_000))
    }
  }
}
