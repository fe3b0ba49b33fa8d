// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import Terminal
import UserSettings

@testable import Screens

/// A full screen without a terminal or a player. Lists are loaded at once, from rows in memory; all other effects are
/// recorded.
struct ScreenRig {
  var model: FullScreenModel
  /// The rows of each list.
  var rows: [ListContent: [ListRow]]
  /// The effects other than those that load lists.
  private(set) var effects: [ScreenEffect] = []
  /// The number of pages that were loaded.
  private(set) var loadCount = 0

  init(columns: Int = 80, rows: Int = 24, _ lists: [ListContent: [ListRow]] = Self.lists) {
    model = FullScreenModel(size: TerminalSize(columns: columns, rows: rows))
    self.rows = lists
  }

  /// The commands for the player, in their order.
  var commands: [ScreenCommand] {
    effects.compactMap { effect in if case .perform(let command) = effect { command } else { nil } }
  }

  /// The title of the row under the cursor.
  var title: String? { model.list?.current?.title }

  mutating func show(_ screen: Screen) {
    model.show(screen)
    load()
  }

  /// Presses a key for each character of `text`.
  mutating func type(_ text: String) { for character in text { press(.character(character)) } }

  mutating func press(_ keys: Key...) { for key in keys { handle(.key(key)) } }

  mutating func handle(_ input: TerminalInput) {
    perform(model.handle(input))
    load()
  }

  /// Loads what is visible.
  mutating func load() {
    perform(model.loadVisible())
    perform(model.handleWaitingKeys())
  }

  mutating func perform(_ wanted: [ScreenEffect]) {
    for effect in wanted {
      guard case .read(.page(let view, let offset)) = effect else {
        effects.append(effect)
        if case .read(.range(let view, let range)) = effect {
          let all = view.arranged(rows[view.content] ?? [])
          perform(model.receive(.success(Array(all[range.clamped(to: all.indices)])), in: range, of: view))
        }
        if case .perform(let command) = effect { edit(command) }
        continue
      }
      loadCount += 1
      let all = view.arranged(rows[view.content] ?? [])
      let page = ListPage(
        offset: offset, rows: Array(all.dropFirst(offset).prefix(ListState.pageSize)), count: all.count)
      model.receive(.success(page), of: view)
    }
  }
}

extension ScreenRig {
  /// Changes the queue as the player would, and lets the model reload it.
  fileprivate mutating func edit(_ command: ScreenCommand) {
    var queue = rows[.queue] ?? []
    switch command {
    case .request(.edit(.move(.ids(let ids), to: .position(let position)))):
      let moved = queue.filter { row in ids.contains { row.target == .item($0) } }
      queue.removeAll { moved.contains($0) }
      queue.insert(contentsOf: moved, at: min(position, queue.count))
    case .request(.edit(.remove(.ids(let ids)))): queue.removeAll { row in ids.contains { row.target == .item($0) } }
    default: return
    }
    rows[.queue] = queue
    model.invalidate { $0 == .queue }
    model.receiveOutcome()
  }
}

/// Rows of a small library.
extension ScreenRig {
  static func song(_ number: Int, rating: Int? = nil) -> ListRow {
    ListRow(
      .track(id: Int64(number), PathText(FilePath("/music/\(number).flac"))), title: "Song \(number)",
      artist: "Artist \(number % 7)",
      album: "Album \(number % 12)", duration: .seconds(60 + number), rating: rating)
  }

  static func songs(_ count: Int) -> [ListRow] { (1...count).map { song($0, rating: $0 % 3 == 0 ? $0 % 11 : nil) } }

  static let queue: [ListRow] = [
    ListRow(
      .item(1), title: "So What", artist: "Miles Davis", album: "Kind of Blue", duration: .seconds(562), rating: 10),
    ListRow(.item(2), title: "夜のうた", artist: "時計の楽団", album: "日本のうた", duration: .seconds(98)),
    ListRow(.item(3), title: "שיר אחד", artist: "זמר", album: "אלבום", duration: .seconds(201)),
    ListRow(.item(4), title: "Wide 👩‍👩‍👧 and a\u{301}ccents", artist: "Emoji", album: "Marks", duration: .seconds(61)),
    ListRow(.item(5), title: "Gone", artist: "Nobody", album: "Lost", isMissing: true),
    ListRow(
      .item(6), title: "A title that is much longer than any column of any terminal that people use", artist: "Long"),
  ]

  static let lists: [ListContent: [ListRow]] = [
    .queue: queue,
    .albums(.everything): (1...30).map {
      ListRow(
        .album(Int64($0)), title: "Album \($0)", artist: "Artist \($0 % 7)", detail: "\(1950 + $0)",
        duration: .seconds(2_400))
    },
    .album(2): [song(1), song(2), song(3)],
    .artists(.everything): (1...9).map {
      ListRow(.artist("Artist \($0)"), title: "Artist \($0)", detail: "2 albums, 9 tracks")
    },
    .songs(.everything): songs(500),
    .genres(.everything): [ListRow(.genre("Jazz"), title: "Jazz"), ListRow(.genre("Rock"), title: "Rock")],
    .search("mi", .everything): [song(4), song(5)],
    .playlists: [ListRow(.playlist("Evening"), title: "Evening", detail: "2 tracks")],
    .playlist("Evening"): [
      ListRow(.file("/music/1.flac", number: 0), title: "One"),
      ListRow(.file("/music/2.flac", number: 1), title: "Two"),
      ListRow(.file("/music/1.flac", number: 2), title: "One"),
    ],
    .outputs: [
      ListRow(.output("pulse"), title: "pulse", artist: "on"),
      ListRow(.output("pulse:desk"), title: "pulse:desk", artist: "Desk"),
    ],
  ]
}
