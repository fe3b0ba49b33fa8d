// SPDX-License-Identifier: GPL-3.0-or-later

package import Flux
package import MusicModel
import Platform
package import PlayerFlow
package import PlayerPort
import SystemPackage
package import Tagging
package import UserSettings

/// What a full screen needs from the commands: lists to show, a player to command, and a library.
package struct FullScreenServices {
  /// The lists of the player, and of the library that is shown.
  package var lists: PlayerLists
  /// Reads the covers of tracks.
  package var covers: CoverSource
  /// Makes the player perform a command, and calls the closure with the outcome, on any thread. Never blocks.
  package var perform: (ScreenCommand, @escaping @Sendable (ScreenOutcome) -> Void) -> Void
  /// Returns a command as far as it can be completed, and the candidates if there are several.
  package var complete: (String) -> (text: String, candidates: [String])
  /// What the user has chosen about lists before, and keeps what is chosen now.
  package var memory = ScreenMemory()
  package var remember: (ScreenMemory) -> Void = { _ in }
  /// Loads everything about the track of a row, and calls the closure with it, on any thread. Never blocks.
  package var loadInfo: (ListTarget, @escaping @Sendable (Result<[InfoLine], PlayerError>) -> Void) -> Void = { _, _ in
  }
  /// Opens the library. Called once on the main thread, which it may block for a moment.
  package var openLibrary: () -> ScreenLibrary

  package init(
    lists: PlayerLists,
    covers: CoverSource,
    perform: @escaping (ScreenCommand, @escaping @Sendable (ScreenOutcome) -> Void) -> Void,
    complete: @escaping (String) -> (text: String, candidates: [String]),
    openLibrary: @escaping () -> ScreenLibrary
  ) {
    self.lists = lists
    self.covers = covers
    self.perform = perform
    self.complete = complete
    self.openLibrary = openLibrary
  }
}

/// The library of a full screen, with the filters of its lists.
package struct ScreenLibrary {
  /// Changes the filters of all lists.
  package var filter: (FilterChange) -> Void = { _ in }
  /// Calls the closure with the filters at once, and whenever they change, until the subscription is cancelled.
  package var observeFilters: (@escaping @Sendable (LibraryFilters) -> Void) -> Subscription? = { _ in nil }

  package init() {}
}

/// The outcome of a command of the full screen.
package struct ScreenOutcome: Equatable, Sendable {
  /// The lines to show; not yet escaped for a terminal.
  package var lines: [String]
  /// Whether the command has failed.
  package var isFailed: Bool
  /// Whether the lists may have changed in another way than the player and the library report.
  package var changesLists: Bool
  /// Whether the command ends the full screen.
  package var endsScreen: Bool
  /// The settings of the screen that the command has changed.
  package var settings: [SettingName: SettingValue] = [:]
  /// The request about the equaliser that was performed, and its reply; `nil` if there was none, or it has failed.
  package var equaliserRequest: EqualiserRequest?
  package var equaliser: EqualiserReport?

  package init(lines: [String] = [], isFailed: Bool = false, changesLists: Bool = false, endsScreen: Bool = false) {
    self.lines = lines
    self.isFailed = isFailed
    self.changesLists = changesLists
    self.endsScreen = endsScreen
  }
}

/// Loads the rows of lists on a thread of its own, one request after the other.
final class ListLoader: Sendable {
  private let worker = Worker<[ListReading]>(named: "segue-lists", [])

  /// Creates a loader of `lists`, which posts the results to `events`.
  ///
  /// - Throws: `Errno` if no thread can be created.
  init(_ lists: PlayerLists, _ events: EventQueue<ViewEvent>) throws(Errno) {
    try worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }) { request in
      events.post(Self.result(of: request, lists))
    }
  }

  deinit { worker.close() }

  /// Queues a request. Requests for what the user has typed before become void.
  func post(_ request: ListReading) {
    worker.post { pending in
      // A later search in a list replaces an earlier one.
      if case .page = request {} else { pending.removeAll { if case .page = $0 { false } else { true } } }
      // What was shown of a list before the user typed on is no longer needed.
      if let view = request.view, case .page = request, view.isTyped {
        pending.removeAll { $0.view?.content.isSameList(as: view.content) == true && $0.view != view }
      }
      pending.append(request)
    }
  }

  private static func result(of request: ListReading, _ lists: PlayerLists) -> ViewEvent {
    switch request {
    case .page(let view, let offset):
      let page = Result { () throws(PlayerError) in
        try lists.page(of: view, offset: offset, limit: ListState.pageSize)
      }
      return .page(page, view)
    case .letter(let letter, let view):
      let position = Result { () throws(PlayerError) in try lists.position(of: letter, in: view) }
      return .position(position, view, text: String(letter))
    case .find(let text, let view, let row, let backward):
      let position = Result { () throws(PlayerError) in
        try lists.position(of: text, in: view, after: row, backward: backward)
      }
      return .position(position, view, text: text)
    case .range(let view, let range):
      return .range(Result { () throws(PlayerError) in try rows(range, of: view, lists) }, view, range)
    case .origin(let target, let kind):
      return .origin(Result { () throws(PlayerError) in try lists.origin(of: target) }, kind)
    }
  }

  private static func rows(
    _ range: Range<Int>, of view: ListView, _ lists: PlayerLists
  ) throws(PlayerError) -> [ListRow] {
    var rows: [ListRow] = []
    while rows.count < range.count {
      let page = try lists.page(
        of: view, offset: range.lowerBound + rows.count, limit: range.count - rows.count)
      guard !page.rows.isEmpty else { throw PlayerError(.failure, "the list has changed: mark the range again") }
      rows += page.rows
    }
    return rows
  }
}

extension ListReading {
  /// The list that is meant; `nil` if it is none.
  fileprivate var view: ListView? {
    switch self {
    case .page(let view, _), .letter(_, let view), .find(_, let view, _, _), .range(let view, _): view
    case .origin: nil
    }
  }
}

extension ListView {
  /// Whether it depends on what the user is typing.
  fileprivate var isTyped: Bool { if case .search = content { true } else { !filter.isEmpty } }
}

extension ListContent {
  /// Whether this is `other`, apart from what is searched for.
  fileprivate func isSameList(as other: ListContent) -> Bool {
    if case .search = self, case .search = other { true } else { self == other }
  }
}
