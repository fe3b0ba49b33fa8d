// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import PlayerPort

/// Requests whose positions are those of a queue that the user has listed before.
@Suite struct ListedQueueTests {
  private let rig: PortRig
  private var player: LocalPlayer { rig.player }

  init() throws {
    rig = try PortRig()
    rig.actions.enqueue(
      TrackCollection(title: "T", tracks: ["a", "b", "c", "d", "e"].map { Examples.track($0) }), item: 0)
    rig.actions.awaitDelivery()
  }

  private var titles: String { get throws { try player.queue(0..<9).rows.map(\.track.title).joined() } }

  /// Returns the positions of the queue in `range`, as a user sees them who lists it now.
  private func listing(_ range: Range<Int> = 0..<9) throws -> ListedQueue {
    let rows = try player.queue(range)
    var listed = ListedQueue(of: try #require(rows.directory))
    for (index, row) in rows.rows.enumerated() { listed.append(row.id, at: rows.offset + index) }
    return listed
  }

  /// Removes items as someone else does, who has listed nothing.
  private func removeElsewhere(_ positions: Range<Int>) {
    rig.actions.remove(.positions([positions]))
    rig.actions.awaitDelivery()
  }

  /// Performs an edit by a user who has seen `listed`, which is then as the edit has left it.
  private func edit(_ edit: QueueEdit, _ listed: inout ListedQueue) throws(PlayerError) {
    listed = try player.send(.seeing(listed, .edit(edit))).listed ?? listed
  }

  private func remove(_ range: String, _ listed: inout ListedQueue) throws(PlayerError) {
    try edit(.remove(.range(try ItemRange(range))), &listed)
  }

  @Test func `A number means the item that was listed at it, wherever that is now`() throws {
    var listed = try listing()
    removeElsewhere(0..<1)
    try remove("3", &listed)
    #expect(try titles == "bde")
    try remove("4-", &listed)
    #expect(try titles == "b")
  }

  @Test func `An item that is no longer in the queue is refused, and nothing else is removed`() throws {
    var listed = try listing()
    removeElsewhere(0..<1)
    #expect(
      throws: PlayerError(
        .notFound,
        "the queue has changed since it was listed: item 1 is no longer in it; `segue queue` lists it again")
    ) { try remove("1", &listed) }
    #expect(try titles == "bcde")
  }

  @Test(arguments: ["2-4", "2-", "-4", "3-last"])
  func `A range whose items were moved apart is refused`(range: String) throws {
    var listed = try listing()
    rig.actions.move(.positions([2..<3]), to: 4)
    rig.actions.awaitDelivery()
    let error = try #require(throws: PlayerError.self) { try remove(range, &listed) }
    #expect(error.message.contains("items \(range) are no longer together"), "\(error.message)")
    #expect(try titles == "abdec")
  }

  @Test func `The user's own edits count: the same number removes one item after the other`() throws {
    var listed = try listing()
    try remove("1", &listed)
    try remove("1", &listed)
    #expect(try titles == "cde")
    try edit(.undo(1), &listed)
    try remove("1", &listed)
    #expect(try titles == "cde")
    // What others do after that changes no meaning.
    removeElsewhere(0..<1)
    try remove("2", &listed)
    #expect(try titles == "e")
  }

  @Test func `After a change elsewhere, numbers stay those of the listing`() throws {
    var listed = try listing()
    removeElsewhere(0..<1)
    try remove("3", &listed)
    try remove("2", &listed)
    #expect(try titles == "de")
    #expect(throws: PlayerError.self) { try remove("3", &listed) }
  }

  @Test func `Tracks are moved, inserted and played at the place that was listed`() throws {
    var listed = try listing()
    removeElsewhere(0..<1)
    try edit(.move(.range(try ItemRange("5")), to: .point(.number(3))), &listed)
    #expect(try titles == "becd")
    let reply = try player.send(.seeing(listed, .playItem(.range(try ItemRange("4")), PlaybackOptions())))
    guard case .playing(let started) = reply.result else { throw PlayerError(.failure, "\(reply)") }
    #expect(started.track.track.title == "d")
    #expect(throws: PlayerError.self) {
      try edit(.swap(.range(try ItemRange("1")), .range(try ItemRange("2"))), &listed)
    }
    try edit(.swap(.range(try ItemRange("2")), .range(try ItemRange("4"))), &listed)
    #expect(try titles == "decb")
  }

  @Test func `What was not listed, and symbols, are as the queue is`() throws {
    var listed = try listing(0..<2)
    removeElsewhere(1..<2)
    try remove("3", &listed)
    #expect(try titles == "ace")
    try remove("last", &listed)
    #expect(try titles == "ac")
    // Another item is at the place now at which the last one was seen.
    listed = try listing()
    removeElsewhere(0..<1)
    try remove("last", &listed)
    #expect(try titles == "")
  }

  @Test func `A request is stored, and takes its time, whether or not its positions were listed`() throws {
    let listed = try listing()
    for request in [PlayerRequest.edit(.sort(nil, .title, descending: false)), .edit(.clear), .transport(.pause)] {
      let seeing = PlayerRequest.seeing(listed, request)
      #expect(seeing.mayTakeLong == request.mayTakeLong && seeing.isEdit == request.isEdit)
    }
  }

  @Test func `The listing of another queue, and that of one that the user has replaced, mean nothing`() throws {
    var listed = try listing()
    removeElsewhere(0..<1)
    listed.directory = "/elsewhere"
    try remove("1", &listed)
    #expect(try titles == "cde")

    let library = try ExampleLibrary(["x", "y"])
    let other = try PortRig(library)
    other.actions.enqueue(TrackCollection(title: "T", tracks: [Examples.track("a")]), item: 0)
    other.actions.awaitDelivery()
    var seen = ListedQueue(of: try #require(try other.player.queue(0..<1).directory))
    seen.append(try #require(try other.player.queue(0..<1).rows.first?.id), at: 0)
    let music = MusicRequest(.rows([.directory("")], start: nil))
    let reply = try other.player.send(.seeing(seen, .play(music, PlaybackOptions())))
    #expect(reply.listed?.isEmpty == true)
  }

  @Test func `Each reader has a listing of its own, which ends with it`() throws {
    let directory = try TemporaryDirectory()
    let (own, parent) = (ProcessIdentity.own, ProcessIdentity.parent)
    let file = try #require(ListedQueueFile(in: directory.path, reader: own))
    let listed = try listing()
    file.store(listed)
    #expect(ListedQueueFile(in: directory.path, reader: own)?.listed == listed)
    #expect(ListedQueueFile(in: directory.path, reader: parent)?.listed == nil)
    #expect(ListedQueueFile(in: directory.path, reader: 1) == nil)
    // A process that has ended leaves nothing behind.
    let ended = directory["listed-queue-\(Int32.max)-1.json"]
    try directory.write([], to: "listed-queue-\(Int32.max)-1.json")
    file.store(try listing(0..<1))
    #expect((try? FileStatus(of: ended)) == nil)
    file.store(ListedQueue(of: listed.directory))
    #expect(file.listed == nil)
    // Where there is no queue, no directory is created for it.
    ListedQueueFile(in: directory["none"], reader: own)?.store(listed)
    #expect((try? FileStatus(of: directory["none"])) == nil)
  }

  @Test(arguments: [
    #"{"directory":"/","runs":[{"position":0,"id":18446744073709551615,"count":2}]}"#,
    #"{"directory":"/","runs":[{"position":9223372036854775807,"id":1,"count":1}]}"#,
    #"{"directory":"/","runs":[{"position":3,"id":1,"count":2},{"position":4,"id":9,"count":1}]}"#,
    #"{"directory":"/","runs":[{"position":0,"id":1,"count":0}]}"#,
    #"{"directory":"/","runs":[{"position":-1,"id":1,"count":1}]}"#,
  ])
  func `A damaged listing is none`(text: String) {
    let listed: ListedQueue? = JSONLine.value(text)
    #expect(listed == nil)
  }
}
