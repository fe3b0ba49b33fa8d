// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort

/// The part of a list that is visible: lines of one or more rows side by side.
struct ListWindow: Equatable, Sendable {
  /// The number of lines, at least 1.
  let rows: Int
  /// The number of rows of the list in a line, at least 1.
  let columns: Int

  init(rows: Int, columns: Int = 1) {
    self.rows = max(1, rows)
    self.columns = max(1, columns)
  }

  /// Returns the number of lines for `count` rows of the list.
  func lines(_ count: Int) -> Int { (count + columns - 1) / columns }
}

/// A list on the full screen: a window on rows that are loaded as needed, the cursor, and the marked rows.
struct ListState: Equatable, Sendable {
  /// The number of rows that are loaded at a time.
  static let pageSize = 128
  /// The maximum number of pages in memory.
  private static let pageLimit = 16

  /// What is shown, narrowed and in an order.
  private(set) var view: ListView
  /// The title, not yet escaped for a terminal.
  let title: String
  /// The number of rows; `nil` until the first page has been loaded.
  private(set) var count: Int?
  /// How long the queue is; `nil` for other lists, and before the first page.
  private(set) var queueDurations: QueueDurations?
  /// The row of the cursor, counted from 0.
  private(set) var cursor = 0
  /// The first visible row.
  private(set) var top = 0
  /// The marked rows, by what they stand for, with their last known numbers.
  private(set) var marked: [ListTarget: Int] = [:]
  /// The row where a range of marks begins; `nil` if no range is being marked.
  var rangeStart: Int?
  /// Why the rows could not be loaded; `nil` if they could.
  var problem: String?
  /// The loaded rows, by the number of the page.
  private var pages: [Int: [ListRow]] = [:]
  /// The pages whose rows may have changed since they were loaded.
  private var stalePages: Set<Int> = []
  /// The pages that have been requested.
  private var requestedPages: Set<Int> = []
  /// What the row under the cursor stood for when the list changed; `nil` if the cursor need not follow it.
  private var anchor: ListTarget?
  /// The number of rows by which a command that is being performed moves the row under the cursor.
  private var pendingStep = 0
  /// Whether the rows are about to change by a command, so that no other one may refer to them.
  private(set) var isChanging = false

  init(_ view: ListView, title: String, cursor: Int = 0) {
    self.view = view
    self.title = title
    self.cursor = cursor
  }

  var content: ListContent { view.content }

  /// Shows the list narrowed or in order differently, from its beginning on.
  mutating func show(_ view: ListView) {
    guard view != self.view else { return }
    self = ListState(view, title: title)
  }

  /// Returns the row with this number; `nil` if it has not been loaded.
  func row(_ number: Int) -> ListRow? {
    guard number >= 0, let page = pages[number / Self.pageSize], number % Self.pageSize < page.count else { return nil }
    return page[number % Self.pageSize]
  }

  /// The row under the cursor; `nil` if it has not been loaded.
  var current: ListRow? { row(cursor) }

  /// Whether the row with this number is marked, or in the range that is being marked.
  func isMarked(_ number: Int) -> Bool {
    if let start = rangeStart, (min(start, cursor)...max(start, cursor)).contains(number) { return true }
    return row(number).map { marked[$0.target] != nil } ?? false
  }

  /// What the marked rows stand for, in their order; those of the range that is being marked included. Without any,
  /// what the row under the cursor stands for. Rows of the range that have not been loaded are missing.
  var chosen: [ListTarget] {
    var numbers = marked
    if let start = rangeStart {
      for number in min(start, cursor)...max(start, cursor) {
        if let target = row(number)?.target { numbers[target] = number }
      }
    } else if marked.isEmpty, let target = current?.target {
      numbers[target] = cursor
    }
    return numbers.sorted { $0.value < $1.value }.map(\.key)
  }

  /// The range that is being marked; `nil` if there is none.
  var range: Range<Int>? { rangeStart.map { min($0, cursor)..<max($0, cursor) + 1 } }

  /// The numbers of the marked rows, and of those in the range that is being marked; without any, of the row under the
  /// cursor.
  var chosenNumbers: [Int] {
    var numbers = Set(marked.values)
    if let start = rangeStart { numbers.formUnion(min(start, cursor)...max(start, cursor)) }
    return numbers.isEmpty ? [cursor] : numbers.sorted()
  }

  /// The number of chosen rows.
  var chosenCount: Int {
    guard let range else { return max(1, marked.count) }
    return range.count + marked.values.count { !range.contains($0) }
  }

  /// Whether all chosen rows are known. Not all are in a long range whose rows were never shown.
  var isChoiceKnown: Bool {
    guard let range else { return true }
    return range.count <= Self.pageLimit * Self.pageSize && range.allSatisfy { row($0) != nil }
  }

  /// Whether the row under the cursor may have changed since it was loaded.
  var isCursorStale: Bool { stalePages.contains(cursor / Self.pageSize) }

  /// Whether anything is marked.
  var hasMarks: Bool { !marked.isEmpty || rangeStart != nil }

  // MARK: Lines

  /// A line on the screen: a row, or the heading of a disc.
  enum Line: Equatable {
    case row(Int)
    case disc(Int)
  }

  /// Returns the visible lines of a window of `height`, with the cursor among them. The discs of an album have
  /// headings.
  func lines(_ height: Int) -> [Line] {
    let end = count ?? 0
    guard hasDiscs else { return (top..<max(top, min(end, top + height))).map { .row($0) } }
    // The headings take rows of the window.
    for first in top..<max(top + 1, cursor) {
      let lines = discLines(from: first, height)
      if lines.contains(.row(cursor)) { return lines }
    }
    return discLines(from: cursor, height)
  }

  private func discLines(from first: Int, _ height: Int) -> [Line] {
    var lines: [Line] = []
    for number in first..<max(first, min(count ?? 0, first + height)) {
      let disc = row(number)?.disc
      if let disc, number == first || row(number - 1)?.disc != disc { lines.append(.disc(disc)) }
      lines.append(.row(number))
    }
    return Array(lines.prefix(height))
  }

  /// Whether the list is an album with several discs, in its own order, so that these have headings.
  private var hasDiscs: Bool {
    guard case .album = content, view.order == nil, let count, count <= Self.pageSize else { return false }
    let discs = Set((0..<count).compactMap { row($0)?.disc })
    return discs.count > 1
  }

  // MARK: Moving

  /// Moves the cursor to a row, or to the nearest one that exists.
  mutating func move(to number: Int) {
    cursor = max(0, min(number, (count ?? number + 1) - 1))
    (anchor, pendingStep) = (nil, 0)
  }

  /// Moves the cursor by a number of rows that makes whole lines, and stays in its column. More than a line scrolls the
  /// window as far.
  mutating func move(by rows: Int, in window: ListWindow) {
    if abs(rows) > window.columns { top = max(0, top + rows) }
    let column = cursor % window.columns
    let last = count.map { window.lines($0) - 1 } ?? .max
    let line = max(0, min((cursor + rows) / window.columns, last))
    move(to: cursor + rows < 0 ? column : line * window.columns + column)
  }

  /// Scrolls so that the cursor is visible in `window`: in the middle if it is `centred`, or was far from the window.
  mutating func scroll(in window: ListWindow, centred: Bool = false) {
    let (line, top) = (cursor / window.columns, top / window.columns)
    let isFar = centred || line < top - 1 || line > top + window.rows
    let first = isFar ? line - window.rows / 2 : max(line + 1 - window.rows, min(top, line))
    let last = count.map { max(0, window.lines($0) - window.rows) } ?? .max
    self.top = max(0, min(first, last)) * window.columns
  }

  /// Scrolls by a number of lines, and takes the cursor along.
  mutating func scroll(by lines: Int, in window: ListWindow) {
    let (all, columns) = (window.lines(count ?? 0), window.columns)
    let first = max(0, min(top / columns + lines, max(0, all - window.rows)))
    top = first * columns
    move(to: max(first, min(cursor / columns, first + window.rows - 1)) * columns + cursor % columns)
  }

  /// Notes that a command moves the row of `target`, which the cursor follows.
  mutating func follow(_ target: ListTarget?) {
    anchor = target
    isChanging = true
  }

  /// Notes that a command moves the row under the cursor by a number of rows, and that its target is then another one.
  mutating func follow(by step: Int) {
    (anchor, pendingStep) = (nil, step)
    isChanging = true
  }

  /// Notes that the last command has been performed, or has failed.
  mutating func endChange(isFailed: Bool) {
    isChanging = false
    if !isFailed, pendingStep != 0 { move(to: cursor + pendingStep) }
    pendingStep = 0
  }

  // MARK: Marking

  /// Marks the row under the cursor, or removes its mark.
  mutating func toggleMark() {
    guard let target = current?.target else { return }
    if marked.removeValue(forKey: target) == nil { marked[target] = cursor }
  }

  /// Begins a range at the cursor, or marks the rows of the range that ends there.
  mutating func toggleRange() {
    guard let range else { return rangeStart = cursor }
    endRange(range.compactMap { row($0) })
  }

  /// Marks `rows`, which are all of the range that is being marked.
  mutating func endRange(_ rows: [ListRow]) {
    guard let range else { return }
    for (number, row) in zip(range, rows) { marked[row.target] = number }
    rangeStart = nil
  }

  mutating func removeMarks() {
    marked = [:]
    rangeStart = nil
  }

  // MARK: Loading

  /// Marks all rows as possibly changed. The cursor stays on what it is on.
  mutating func invalidate() {
    stalePages = Set(pages.keys)
    requestedPages = []
    problem = nil
    anchor = anchor ?? current?.target
  }

  /// Returns the effects that load what is missing to show `height` rows.
  mutating func load(height: Int) -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    while let offset = nextRequest(height: height) { effects.append(.read(.page(view, offset: offset))) }
    return effects
  }

  /// Returns the offset of the next page to request to show `height` rows; `nil` if all of them are loaded or have been
  /// requested.
  mutating func nextRequest(height: Int) -> Int? {
    guard problem == nil, count != 0 || !stalePages.isEmpty || pages.isEmpty else { return nil }
    let last = max(0, (count ?? 1) - 1)
    // The rows above and below the visible ones follow.
    let visible = top / Self.pageSize...max(top, min(top + height, last)) / Self.pageSize
    let first = max(0, top - height) / Self.pageSize
    let nearby = first...max(first, min(top + 2 * height, last) / Self.pageSize)
    for page in Array(visible) + Array(nearby) {
      if pages[page] == nil || stalePages.contains(page), requestedPages.insert(page).inserted {
        return page * Self.pageSize
      }
    }
    return nil
  }

  /// Stores rows that have been loaded.
  mutating func receive(_ page: ListPage) {
    let number = page.offset / Self.pageSize
    problem = nil
    if count != page.count, count != nil {
      // Whatever else is loaded may be of another state of the list.
      stalePages.formUnion(pages.keys)
      requestedPages = []
    }
    count = page.count
    queueDurations = page.durations
    pages[number] = page.rows
    stalePages.remove(number)
    requestedPages.remove(number)
    // Marks follow their rows; those without a row end.
    let numbers = page.offset..<page.offset + page.rows.count
    let targets = Dictionary(zip(page.rows.map(\.target), numbers), uniquingKeysWith: { first, _ in first })
    marked = marked.filter { !numbers.contains($0.value) || targets[$0.key] != nil }
    for (target, number) in targets where marked[target] != nil { marked[target] = number }
    marked = marked.filter { $0.value < page.count }
    if numbers.contains(cursor) || page.count == 0, pendingStep == 0 { isChanging = false }
    if let anchor, let index = page.rows.firstIndex(where: { $0.target == anchor }) {
      let distance = page.offset + index - cursor
      cursor += distance
      top = max(0, top + distance)
      self.anchor = nil
    }
    cursor = max(0, min(cursor, page.count - 1))
    dropDistantPages()
  }

  /// Stores rows, or the reason why they could not be loaded.
  mutating func receive(_ page: Result<ListPage, PlayerError>) {
    switch page {
    case .success(let page): receive(page)
    case .failure(let error): receive(error.message)
    }
  }

  /// Records that a page could not be loaded. Nothing is requested until ``invalidate()``.
  mutating func receive(_ problem: String) {
    self.problem = problem
    count = count ?? 0
  }

  private mutating func dropDistantPages() {
    let center = top / Self.pageSize
    while pages.count > Self.pageLimit, let farthest = pages.keys.max(by: { abs($0 - center) < abs($1 - center) }) {
      pages[farthest] = nil
      stalePages.remove(farthest)
    }
  }
}
