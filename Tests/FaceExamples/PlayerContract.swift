// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import MusicModel
package import PlayerPort
import Synchronization

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
      ((try? player.queue(0..<10))?.rows ?? []).map(\.track.track.title)
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
    let (version, called) = (player.snapshot.queueVersion, changes.withLock { $0 })
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
    waitUntil { player.snapshot.queueVersion != version && changes.withLock { $0 } > called }
    expect(changes.withLock { $0 } > called, "an observer is not notified of a change")
    expect(player.snapshot.queueVersion != version, "the snapshot does not show a change")
    subscription.cancel()
    return violations
  }

  /// Asks for lists of `player`, and returns the descriptions of what a port should not do.
  private static func listViolations(of player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ isRight: Bool, _ what: String) { if !isRight { violations.append(what) } }
    let (lists, songs) = (PlayerLists(player), ListContent.songs(.everything))
    let window = try? lists.page(of: songs, offset: 1, limit: 1)
    expect(window?.rows.map(\.title) == ["Beta"], "a window is not the part of the list that was requested")
    expect(window?.offset == 1 && window?.count == 3, "a window does not know the length of the list")
    let all = (try? lists.page(of: songs, offset: 0, limit: 100))?.rows.map(\.title)
    expect(all == ["Alpha", "Beta", "Gamma"], "a list is not sorted: \(all ?? [])")
    let queue = try? lists.page(of: .queue, offset: 1, limit: 2)
    let items = try? player.queue(1..<3).rows.map { ListTarget.item($0.id) }
    expect(queue?.count == 4 && queue?.rows.map(\.target) == items, "the rows of the queue are not its items")
    expect((try? lists.position(of: "G", in: songs)) == 2, "a letter is not found")
    let next = try? lists.position(of: "eta", in: songs, after: 1, backward: false)
    expect(next == 1, "a search does not go round at the end")
    expect(lists.rating(ofFile: "/none") == nil, "a track without a rating has one")
    expect(lists.path(ofAlbum: -1) == nil, "an album that does not exist has a track")
    do throws(PlayerError) {
      _ = try lists.page(of: .playlist("none"), offset: 0, limit: 1)
      violations.append("a playlist that does not exist has rows")
    } catch {
      expect(!error.message.isEmpty, "an error says nothing")
    }
    return violations
  }

  /// Waits up to ten seconds until `isReached` returns true.
  private static func waitUntil(_ isReached: () -> Bool) {
    let end = ContinuousClock.now + .seconds(10)
    while !isReached(), .now < end {}
  }
}
