// SPDX-License-Identifier: GPL-3.0-or-later

extension PageList<QueueEntry> {
  private static var builder: PageListBuilder<QueueEntry> { PageListBuilder { QueuePage($0) } }

  init(_ entries: [QueueEntry]) {
    var builder = Self.builder
    builder.append(entries)
    self = builder.finish()
  }

  /// Returns the list with `range` replaced by these entries.
  func replacing(_ range: Range<Int>, with entries: [QueueEntry]) -> Self {
    var builder = Self.builder
    builder.append(self, 0..<range.lowerBound)
    builder.append(entries)
    builder.append(self, range.upperBound..<count)
    return builder.finish()
  }

  /// Returns the list with `entries` at the positions in `ranges` (ascending), of which there must be as many.
  func arranging(_ ranges: [Range<Int>], as entries: [QueueEntry]) -> Self {
    var builder = Self.builder
    var (rest, end) = (entries[...], 0)
    for range in ranges {
      builder.append(self, end..<range.lowerBound)
      builder.append(rest.prefix(range.count))
      rest = rest.dropFirst(range.count)
      end = range.upperBound
    }
    builder.append(self, end..<count)
    return builder.finish()
  }

  /// Returns a list of the elements in these ranges, in the order of the ranges.
  func only(_ ranges: [Range<Int>]) -> Self {
    var builder = Self.builder
    for range in ranges { builder.append(self, range) }
    return builder.finish()
  }

  /// Returns the list with the elements of `ranges` (ascending) moved together to `index`, an index among the other
  /// elements.
  func moving(_ ranges: [Range<Int>], to index: Int) -> Self {
    let rest = only(ranges.gaps(below: count))
    let target = Swift.min(Swift.max(0, index), rest.count)
    var builder = Self.builder
    builder.append(rest, 0..<target)
    for range in ranges { builder.append(self, range) }
    builder.append(rest, target..<rest.count)
    return builder.finish()
  }

  /// Returns the list with `change` applied to the entries at these indexes (ascending). Pages without changes are
  /// shared with this list.
  func changing(_ indexes: some Sequence<Int>, _ change: (inout QueueEntry) -> Void) -> Self {
    var pages = pages
    var number = 0
    var entries: [QueueEntry] = []
    var isChanged = false
    func finish() { if isChanged { pages[number] = QueuePage(entries) } }
    for index in indexes {
      if index >= ends[number] || entries.isEmpty {
        finish()
        number = ends.firstIndex(above: index)
        entries = pages[number].entries
        isChanged = false
      }
      let old = entries[index - start(number)]
      change(&entries[index - start(number)])
      isChanged = isChanged || entries[index - start(number)] != old
    }
    finish()
    return PageList(pages: pages)
  }
}

extension QueueContents.Order {
  private var builder: PageListBuilder<UInt64> { PageListBuilder { [random] in QueuePage($0, random) } }

  /// Creates an order from these IDs.
  init(_ ids: [UInt64], _ random: QueueModes.Random) {
    self.init(ids: PageList(), random: random)
    var builder = builder
    builder.append(ids)
    self.ids = builder.finish()
  }

  /// Inserts IDs, each before the element that is currently at its `place`. Places must be ascending.
  mutating func insert(_ new: [(id: UInt64, place: Int)]) {
    var builder = builder
    var start = 0
    for (id, place) in new {
      builder.append(ids, start..<place)
      builder.append(CollectionOfOne(id))
      start = place
    }
    builder.append(ids, start..<ids.count)
    ids = builder.finish()
  }

  /// Removes the elements at the places in `removed`, and inserts rows of IDs, each before the element that is
  /// currently at its `place`. Both must be ascending, and all places are those before the change.
  mutating func replace(_ removed: [Range<Int>], with new: [(ids: [UInt64], place: Int)]) {
    var builder = builder
    var remaining = removed.gaps(below: ids.count)[...]
    for (row, place) in new {
      while let range = remaining.first, range.lowerBound < place {
        builder.append(ids, range.lowerBound..<min(range.upperBound, place))
        remaining.removeFirst()
        if place < range.upperBound { remaining = [place..<range.upperBound] + remaining }
      }
      builder.append(row)
    }
    for range in remaining { builder.append(ids, range) }
    ids = builder.finish()
  }

  /// Replaces the order with the IDs at these places, in the order of the ranges.
  mutating func keep(_ ranges: [Range<Int>]) {
    var builder = builder
    for range in ranges { builder.append(ids, range) }
    ids = builder.finish()
  }
}

/// Builds a list from ranges of other lists and from new elements. Whole pages are shared, and small ones are merged.
struct PageListBuilder<Element: QueuePageElement> {
  private var pages: [QueuePage] = []
  private var pending: [Element] = []
  private let makePage: ([Element]) -> QueuePage

  /// Creates a builder that creates its pages with this closure.
  init(_ makePage: @escaping ([Element]) -> QueuePage) { self.makePage = makePage }

  /// Appends the elements of `list` in `range`.
  mutating func append(_ list: PageList<Element>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var page = list.ends.firstIndex(above: range.lowerBound)
    var start = list.start(page)
    while start < range.upperBound {
      let end = list.ends[page]
      if range.lowerBound <= start, end <= range.upperBound {
        append(list.pages[page])
      } else {
        let part = max(start, range.lowerBound) - start..<min(end, range.upperBound) - start
        append(Element.elements(of: list.pages[page])[part])
      }
      start = end
      page += 1
    }
  }

  mutating func append(_ elements: some Sequence<Element>) {
    pending.append(contentsOf: elements)
    if pending.count >= 2 * QueuePage.capacity { flush(keeping: QueuePage.capacity) }
  }

  /// Returns the list of all appended elements.
  mutating func finish() -> PageList<Element> {
    if pending.count < QueuePage.capacity / 4, let last = pages.last, !pending.isEmpty {
      let elements = Element.elements(of: last)
      if elements.count + pending.count <= QueuePage.capacity {
        pages.removeLast()
        pending = elements + pending
      }
    }
    flush(keeping: 0)
    return PageList(pages: pages)
  }

  private mutating func append(_ page: QueuePage) {
    let elements = Element.elements(of: page)
    let smaller = min(elements.count, pending.count)
    if !pending.isEmpty, smaller < QueuePage.capacity / 4 {
      append(elements)
    } else {
      flush(keeping: 0)
      pages.append(page)
    }
  }

  private mutating func flush(keeping keptCount: Int) {
    var start = 0
    while pending.count - start > keptCount {
      let left = pending.count - start
      // Divide the rest evenly between the last two pages, so that neither is small.
      let size =
        left <= QueuePage.capacity
        ? left : left < 2 * QueuePage.capacity && keptCount == 0 ? (left + 1) / 2 : QueuePage.capacity
      pages.append(makePage(Array(pending[start..<(start + size)])))
      start += size
    }
    pending.removeFirst(start)
  }
}
