// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
package import MusicModel
import PlayerFlow
package import PlayerPort
import Synchronization
import SystemPackage
import TestSupport

/// What every `PlayerPort` does, whichever process its player lives in.
package enum PlayerContract {
  /// The tracks that the player must have in its queue, the first one current, before ``check(_:)``.
  package static let tracks = ["a", "b", "c", "d"].map { Examples.track($0) }
  /// The songs that the library of the player must have.
  package static let songs = ["Alpha", "Beta", "Gamma"].map { Examples.track($0) }

  /// Sends requests to `player`, and returns the descriptions of what a port should not do; none if it is right.
  package static func violations(of player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ isRight: Bool, _ what: String) { if !isRight { violations.append(what) } }
    func edited(_ edit: QueueEdit) -> EditedQueue? {
      guard case .edited(let edited)? = try? player.send(.edit(edit)).result else { return nil }
      return edited
    }
    let titles = { () -> [String] in
      ((try? player.queue(0..<10))?.rows ?? []).map(\.track.title)
    }

    expect(titles() == ["a", "b", "c", "d"], "the queue is not that of the player: \(titles())")
    let page = try? player.queue(1..<3)
    expect(page?.offset == 1 && page?.rows.count == 2, "a page is not the part that was requested")
    expect(page?.summary.count == 4 && page?.current == 0, "a page has no summary of the queue")
    expect((try? player.queue(7..<9))?.rows == [], "a page after the end is not empty")

    // Requests are performed in order, and seen by the next one.
    let changes = Mutex(0)
    let subscription = player.observe(everyPosition: true) { changes.withLock { $0 += 1 } }
    expect(changes.withLock { $0 } > 0, "an observer is not called at once")
    let (before, called) = (player.snapshot, changes.withLock { $0 })
    let id = page?.rows.first?.id ?? 0
    let removed = edited(.remove(.ids([id])))
    expect(removed?.removedCount == 1 && removed?.countAfter == 3, "an edit does not report what it has changed")
    expect(removed?.title == "b" && removed?.positions == [1..<2], "an edit does not name what it has changed")
    expect(titles() == ["a", "c", "d"], "an edit has not been performed when its reply arrives")
    expect(edited(.remove(.ids([id])))?.removedCount == 0, "an item that is missing is confused with another one")
    expect(titles() == ["a", "c", "d"], "an edit of a missing item changes others")
    if let range = try? ItemRange("2-3") {
      expect(edited(.remove(.range(range)))?.removedCount == 2, "a range is not that of the queue")
    }
    expect(edited(.undo(2))?.names.count == 2, "the undone edits are not reported")
    expect(titles() == ["a", "b", "c", "d"], "edits are not undone: \(titles())")

    violations += listViolations(of: player)

    // Errors are values, and the next request works.
    do throws(PlayerError) {
      _ = try player.send(.edit(.remove(.range(try ItemRange("9")))))
      violations.append("a position after the end is accepted")
    } catch {
      expect(error.status == .notFound && error.message.contains("no item 9"), "another error: \(error)")
    }
    expect((try? player.send(.status)) != nil, "no request works after an error")
    _ = eventually { player.snapshot.queueVersion != before.queueVersion && changes.withLock { $0 } > called }
    expect(changes.withLock { $0 } > called, "an observer is not notified of a change")
    expect(player.snapshot.queueVersion != before.queueVersion, "the snapshot does not show a change")
    _ = eventually { player.snapshot.events.count >= before.events.count + 3 }
    let (events, missedCount) = player.snapshot.events.events(after: before.events.count)
    expect(missedCount == 0 && events.filter { $0.event == .queue }.count >= 3, "the edits are not among the events")
    subscription.cancel()
    return violations + violationsOfQueues(player) + violationsOfEditing(player) + violationsOfPlaylists(player)
      + violationsOfEqualiser(player) + violationsOfPlaying(player) + violationsOfListening(player)
      + violationsOfSound(player)
  }

  /// Observes the sound of `player`.
  private static func violationsOfSound(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func frames(_ bands: Int, _ count: Int) -> [SoundFrame] {
      let frames = Mutex<[SoundFrame]>([])
      let subscription = player.observeSound(bands: bands) { frame in frames.withLock { $0.append(frame) } }
      _ = eventually { frames.withLock(\.count) >= count }
      subscription.cancel()
      return frames.withLock(\.self)
    }
    // While nothing plays, there is still one frame.
    _ = try? player.send(.transport(.pause))
    for (bands, expected) in [(Int.min, nil), (0, nil), (1, 1), (40, 40), (Int.max, 256)] {
      let frame = frames(bands, 1).first
      if frame == nil || frame?.spectrum?.bands.count != expected || frame?.spectrum?.peaks.count != expected {
        violations.append("a spectrum of \(bands) bands is \(frame.debugDescription)")
      }
    }
    if (try? player.send(.resume(PlaybackOptions()))) == nil { violations.append("the player cannot be resumed") }
    if frames(8, 5).count < 5 { violations.append("there are no frames while the player plays") }
    return violations
  }

  /// Switches between queues of `player`, whose queue contains ``tracks``.
  private static func violationsOfQueues(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ isRight: Bool, line: Int = #line) { if !isRight { violations.append("line \(line): wrong queue") } }
    func send(_ request: NamedQueueRequest) throws(PlayerError) -> [NamedQueue] {
      guard case .queues(let queues) = try player.send(.queues(request)).result else { throw .unexpectedReply }
      return queues
    }
    func expect(_ expected: ExitStatus?, line: Int = #line, _ body: () throws -> Void) {
      var status: ExitStatus?
      do { try body() } catch { status = (error as? PlayerError)?.status }
      expect(status == expected, line: line)
    }
    let titles = { () -> String in ((try? player.queue(0..<10))?.rows ?? []).map(\.track.title).joined() }
    let ids = ((try? player.queue(0..<10))?.rows ?? []).map(\.id)
    expect(nil) {
      _ = try player.send(.transport(.seekItem(ids[2], to: .milliseconds(7_321))))
      let used = try send(.use("Caf\u{E9}")).first
      expect(used?.name == "Café" && used?.count == 0 && used?.isNew == true && titles().isEmpty)
      let added = KnownTracks(TrackCollection(title: "T", tracks: [Examples.track("x")]))
      _ = try player.send(.add(MusicRequest(.tracks(added)), at: .end))
      let id = try player.queue(0..<1).rows.first?.id ?? 0
      expect(titles() == "x" && !ids.contains(id))
      expect(player.snapshot.status.queueName == "Café" && player.snapshot.status.queueCount == 1)
      // An edit of what the user saw before has no effect here.
      _ = try player.send(.edit(.remove(.ids(ids))))
      expect(titles() == "x")
      // The same name in another normalisation form.
      expect(try send(.use("Cafe\u{301}")).first?.isNew == false && titles() == "x")
      let all = try send(.list)
      expect(all.map(\.name) == ["default", "Café"] && all.map(\.count) == [4, 1])
      expect(all.map(\.title) == ["c", nil] && all.map(\.isCurrent) == [false, true])
      expect(try send(.use("default")).first?.title == "c" && titles() == "abcd")
      expect(try player.queue(0..<4).rows.map(\.id) == ids && player.snapshot.status.queueName == nil)
      expect(player.snapshot.status.phase == .playing && player.snapshot.status.elapsed == 7.321)
      _ = try player.send(.transport(.seekItem(ids[0], to: .zero)))
      // Each queue has its own history.
      _ = try send(.use("Café"))
      _ = try player.send(.edit(.undo(1)))
      expect(titles().isEmpty)
      _ = try player.send(.edit(.redo(1)))
      _ = try send(.use("default"))
    }
    expect(.failure) { _ = try send(.delete("Café", force: false)) }
    expect(nil) { expect(try send(.delete("Café", force: true)).first?.count == 1) }
    expect(.notFound) { _ = try send(.delete("Café", force: true)) }
    expect(.usage) { _ = try send(.delete("default", force: true)) }
    for name in ["", " a", "a\nb", String(repeating: "é", count: 41)] {
      expect(.usage) { _ = try send(.use(name)) }
    }
    return violations
  }

  /// Edits the items of `player`, whose queue contains ``tracks``, by ID.
  private static func violationsOfEditing(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ edit: QueueEdit, _ titles: String, line: Int = #line) {
      let countBefore = (try? player.queue(0..<10))?.rows.count ?? 0
      let reply = try? player.send(.edit(edit)).result
      let after = ((try? player.queue(0..<10))?.rows ?? []).map(\.track.title).joined()
      guard case .edited(let edited)? = reply, after == titles,
        edited.removedCount == max(0, countBefore - after.count)
      else {
        return violations.append("line \(line): the queue is \(after) after \(edit), and not \(titles)")
      }
    }
    let ids = ((try? player.queue(0..<4))?.rows ?? []).map(\.id)
    guard ids.count == 4 else { return ["the queue has other items"] }
    expect(.move(.ids([ids[3], ids[1]]), to: .position(0)), "bdac")
    expect(.swap(.ids([ids[1]]), .ids([ids[2]])), "cdab")
    expect(.sort(.ids([ids[1], ids[2]]), .title, descending: false), "bdac")
    expect(.sort(nil, .title, descending: false), "abcd")
    expect(.shuffle(.ids([ids[2], ids[2]]), .tracks), "abcd")
    expect(.prioritise(.ids([ids[1]]), 9), "abcd")
    expect(.setRange(ids[2], from: .seconds(1), to: .seconds(2)), "abcd")
    expect(.shuffle(nil, .albums, startsWithCurrent: true), "abcd")
    expect(.crop(nil), "a")
    expect(.undo(1), "abcd")
    do throws(PlayerError) {
      _ = try player.send(.edit(.swap(.ids([ids[0]]), .ids([99_999]))))
      violations.append("a missing item is swapped")
    } catch {
      if error.status != .notFound { violations.append("another error for a missing item: \(error)") }
    }
    let added = KnownTracks(TrackCollection(title: "Added", tracks: ["e", "f"].map { Examples.track($0) }))
    let reply = try? player.send(.unstored(.add(MusicRequest(.tracks(added)), at: .number(2)))).result
    let row = (try? player.queue(1..<2))?.rows.first
    if case .added(let music)? = reply {
      if music.positions != 1..<3 || music.firstItem != row?.id || row?.track.title != "e" {
        violations.append("a reply does not say where tracks were added: \(music)")
      }
    } else {
      violations.append("known tracks cannot be added")
    }
    if (try? player.send(.store)) == nil { violations.append("changes cannot be stored") }
    expect(.undo(1), "abcd")
    return violations
  }

  /// Changes the playlists of a client of `player`, whose queue contains ``tracks``.
  private static func violationsOfPlaylists(_ player: any PlayerPort) -> [String] {
    guard let directory = try? TemporaryDirectory() else { return ["there is no directory for playlists"] }
    let playlists = ClientPlaylists(
      roots: [PathText(directory.path)], directory: PathText(directory["lists"]), mayLeaveLibrary: false)
    var violations: [String] = []
    func titles(_ name: String) -> String {
      let text = (try? contents(of: directory["lists"].appending("\(name).m3u8"))) ?? []
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
      return lines.compactMap(\.last).map(String.init).joined()
    }
    func expect(
      _ request: ClientPlaylistRequest, _ expected: String? = nil, _ expectedProblem: PlaylistProblem? = nil,
      line: Int = #line
    ) {
      var problem: PlaylistProblem?
      do throws(PlayerError) {
        let version = player.snapshot.playlistVersion
        _ = try player.send(.playlist(.client(request, playlists)))
        _ = eventually { player.snapshot.playlistVersion > version }
        if player.snapshot.playlistVersion <= version { violations.append("line \(line): no change is noted") }
      } catch {
        problem = error.playlistProblem
        if problem == nil { violations.append("line \(line): \(error)") }
      }
      if problem != expectedProblem { violations.append("line \(line): \(problem.debugDescription)") }
      if let expected, titles("p") != expected { violations.append("line \(line): \(titles("p")) after \(request)") }
    }
    func music(_ titles: String...) -> KnownTracks {
      KnownTracks(TrackCollection(title: "", tracks: titles.map { Examples.track($0) }))
    }
    expect(.add(music("e", "f"), to: "p", at: nil), "ef")
    expect(.add(music("g"), to: "p", at: 1), "egf")
    expect(.move(0..<1, to: 2, in: "p"), "gfe")
    expect(.move(0..<2, to: 2, in: "p"), "gfe", .noPosition)
    expect(.remove(1..<(.max), from: "p"), "g")
    expect(.remove(2..<3, from: "p"), "g", .noPosition)
    expect(.save("p", .append), "gabcd")
    expect(.save("p", .create), "gabcd", .exists)
    expect(.save("p", .replace), "abcd")
    expect(.save("q", .replace), nil, .missing)
    expect(.add(music("e"), to: "q", at: 1), nil, .noPosition)
    expect(.rename("p", to: "p"), "abcd", .exists)
    expect(.clear("p"), "")
    expect(.save("q", .create))
    expect(.rename("q", to: "r"))
    expect(.delete("r"))
    expect(.delete("r"), nil, .missing)
    do throws(PlayerError) {
      _ = try player.send(.playlist(.client(.clear("../p"), playlists)))
      violations.append("a name leads out of the directory of playlists")
    } catch {
      if case .unusableName? = error.playlistProblem {} else { violations.append("another error: \(error)") }
    }
    return violations
  }

  /// Controls `player`, whose queue contains ``tracks``.
  private static func violationsOfPlaying(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(
      _ request: PlayerRequest, line: Int = #line, _ isRight: (PlayerStatus) -> Bool = { _ in true }
    ) {
      guard (try? player.send(request)) != nil, case .status(let status)? = try? player.send(.status).result,
        isRight(status)
      else { return violations.append("line \(line): wrong state after \(request)") }
    }
    let ids = ((try? player.queue(0..<4))?.rows ?? []).map(\.id)
    guard ids.count == 4 else { return ["the queue has other items"] }
    expect(.transport(.seekItem(ids[1], to: .seconds(7)))) {
      $0.queuePosition == 1 && $0.phase == .playing && $0.elapsed == 7
    }
    expect(.transport(.pause)) { $0.phase == .paused }
    expect(.transport(.seekItem(ids[3], to: .seconds(9)))) { $0.queuePosition == 3 && $0.phase == .paused }
    expect(.transport(.seekItem(ids[3], to: .seconds(4)))) { $0.phase == .paused && $0.elapsed == 4 }
    expect(.transport(.back)) { $0.queuePosition == 2 && $0.elapsed == 0 }
    expect(.transport(.rewind)) { $0.queuePosition == 2 && $0.phase == .stopped && $0.elapsed == 0 }
    expect(.settings(.crossfadeOnNext(seconds: 99))) { $0.crossfadeOnNext == 30 && $0.crossfade == 0 }
    expect(.settings(.crossfade(seconds: 4, withinAlbums: true))) { $0.crossfadeOnNext == 30 && $0.crossfade == 4 }
    // Changing it needs Rubber Band; the normal speed does not.
    expect(.settings(.speed(1))) { $0.speed == 1 }
    for factor in [0, 0.49, 3.01, 1e9, -1] where (try? player.send(.settings(.speed(factor)))) != nil {
      violations.append("the speed \(factor) is accepted")
    }
    expect(.settings(.mode(.consumeOnce))) { $0.modes?.consume == true }
    expect(.settings(.mode(.consume(false)))) { $0.modes?.consume == false }
    expect(.settings(.mixRampDecibels(-17)))
    expect(.settings(.mixRampDelay(seconds: 2)))
    expect(.settings(.enableOutput(false))) { $0.isOutputEnabled == false }
    expect(.settings(.enableOutput(true))) { $0.isOutputEnabled == true }
    expect(.settings(.enableTap(false)))
    expect(.dismissError) { $0.problem == nil }
    if player.snapshot.current == nil { violations.append("the snapshot has no current item") }
    return violations
  }

  /// Asks for lists of `player`, and returns the descriptions of what a port should not do.
  private static func listViolations(of player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ isRight: Bool, _ what: String) { if !isRight { violations.append(what) } }
    let (lists, songs) = (PlayerLists(player), ListView(.songs(.everything)))
    let window = try? lists.page(of: songs, offset: 1, limit: 1)
    expect(window?.rows.map(\.title) == ["Beta"], "a window is not the part of the list that was requested")
    expect(window?.offset == 1 && window?.count == 3, "a window does not know the length of the list")
    let all = (try? lists.page(of: songs, offset: 0, limit: 100))?.rows.map(\.title)
    expect(all == ["Alpha", "Beta", "Gamma"], "a list is not sorted: \(all ?? [])")
    let queue = try? lists.page(of: ListView(.queue), offset: 1, limit: 2)
    let items = try? player.queue(1..<3).rows.map { ListTarget.item($0.id) }
    expect(queue?.count == 4 && queue?.rows.map(\.target) == items, "the rows of the queue are not its items")
    expect((try? lists.position(of: "G", in: songs)) == 2, "a letter is not found")
    let next = try? lists.position(of: "eta", in: songs, after: 1, backward: false)
    expect(next == 1, "a search does not go round at the end")
    let filtered = try? lists.page(of: ListView(songs.content, filter: "ga"), offset: 0, limit: 9)
    expect(
      filtered?.rows.map(\.title) == ["Gamma"] && filtered?.count == 1,
      "a list is not narrowed: \(filtered, default: "")")
    let descending = ListView(songs.content, order: ListOrder(.name, isDescending: true))
    let reversed = try? lists.page(of: descending, offset: 1, limit: 1)
    expect(
      reversed?.rows.map(\.title) == ["Beta"] && reversed?.count == 3, "a list is not in the order that was chosen")
    let last = try? lists.page(of: descending, offset: 2, limit: 1)
    expect(last?.rows.map(\.title) == ["Alpha"], "a descending list does not end with the first name")
    let shuffled = ListView(songs.content, order: ListOrder(.random(seed: 5)))
    let (one, other) = (
      try? lists.page(of: shuffled, offset: 0, limit: 9), try? lists.page(of: shuffled, offset: 0, limit: 9)
    )
    expect(one != nil && one == other && one?.count == 3, "a random order is not stable")
    let found = try? lists.page(of: ListView(.queue, filter: "c"), offset: 0, limit: 9)
    expect(found?.rows.map(\.title) == ["c"] && found?.count == 1, "the queue is not narrowed")
    expect(lists.rating(ofFile: "/none") == nil, "a track without a rating has one")
    expect(lists.path(ofAlbum: -1) == nil, "an album that does not exist has a track")
    do throws(PlayerError) {
      _ = try lists.page(of: ListView(.playlist("none")), offset: 0, limit: 1)
      violations.append("a playlist that does not exist has rows")
    } catch {
      expect(!error.message.isEmpty, "an error says nothing")
    }
    return violations
  }
}
