// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of elements in immutable pages, which several lists can share. Copying takes no time, and an edit creates
/// only one or two pages.
struct PageList<Element: QueuePageElement>: Sendable {
  /// The pages, none of which is empty.
  let pages: [QueuePage]
  /// The end index of each page in the list.
  let ends: [Int]

  init(pages: [QueuePage] = []) {
    self.pages = pages
    var ends: [Int] = []
    ends.reserveCapacity(pages.count)
    var end = 0
    for page in pages {
      end += Element.elements(of: page).count
      ends.append(end)
    }
    self.ends = ends
  }

  var count: Int { ends.last ?? 0 }

  subscript(index: Int) -> Element {
    let page = ends.firstIndex(above: index)
    return Element.elements(of: pages[page])[index - start(page)]
  }

  /// Returns the index in the list of the first element of a page.
  func start(_ page: Int) -> Int { page == 0 ? 0 : ends[page - 1] }

  var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for page in pages { elements.append(contentsOf: Element.elements(of: page)) }
    return elements
  }

  /// Returns the index of the element with this ID, or `nil` if there is none.
  func index(of id: UInt64) -> Int? {
    for (number, page) in pages.enumerated() where page.bounds.low <= id && id <= page.bounds.high {
      if let index = Element.elements(of: page).firstIndex(where: { $0.id == id }) {
        return start(number) + index
      }
    }
    return nil
  }

  /// Returns the indexes of the elements with these IDs, in ascending order. Unknown IDs are skipped.
  func indexes(of ids: [UInt64]) -> [Int] {
    guard ids.count > 4 else { return Set(ids).compactMap { index(of: $0) }.sorted() }
    let wanted = NumberSet(ids)
    var (indexes, found): ([Int], [Int]) = ([], [])
    for (number, page) in pages.enumerated() where wanted.mayContainAny(from: page.bounds.low, to: page.bounds.high) {
      wanted.find(in: Element.elements(of: page), { $0.id }, into: &found)
      let start = start(number)
      for index in found { indexes.append(start + index) }
    }
    return indexes
  }

  /// Returns the smallest range outside which both lists have the same elements, or `nil` if the lists are equal.
  func difference(_ other: PageList) -> Range<Int>? {
    let shorter = Swift.min(count, other.count)
    let low = commonPrefix(other, shorter)
    if low == shorter { return count == other.count ? nil : low..<Swift.max(count, other.count) }
    guard count == other.count else { return low..<Swift.max(count, other.count) }
    return low..<(count - commonSuffix(other, shorter - low))
  }

  private func commonPrefix(_ other: PageList, _ bound: Int) -> Int {
    var page = 0
    while page < Swift.min(pages.count, other.pages.count), pages[page] === other.pages[page] { page += 1 }
    var index = start(page)
    var (mine, others) = (Cursor(self, index), Cursor(other, index))
    while index < bound, mine.next() == others.next() { index += 1 }
    return index
  }

  private func commonSuffix(_ other: PageList, _ bound: Int) -> Int {
    var (page, theirs) = (pages.count, other.pages.count)
    while page > 0, theirs > 0, pages[page - 1] === other.pages[theirs - 1] {
      (page, theirs) = (page - 1, theirs - 1)
    }
    var index = page == 0 ? 0 : ends[page - 1]
    while index > count - bound, self[index - 1] == other[index - 1] { index -= 1 }
    return count - index
  }

  /// An iterator over the elements, starting at an index.
  struct Cursor {
    private let list: PageList
    private var page: Int
    private var elements: [Element]
    private var index: Int

    init(_ list: PageList, _ index: Int) {
      self.list = list
      page = list.ends.firstIndex(above: index)
      elements = page < list.pages.count ? Element.elements(of: list.pages[page]) : []
      self.index = page < list.pages.count ? index - list.start(page) : 0
    }

    mutating func next() -> Element? {
      if index == elements.count {
        guard page + 1 < list.pages.count else { return nil }
        page += 1
        elements = Element.elements(of: list.pages[page])
        index = 0
      }
      defer { index += 1 }
      return elements[index]
    }
  }
}

extension PageList: Equatable {
  /// Whether both lists have the same elements in the same order.
  static func == (left: PageList, right: PageList) -> Bool {
    left.count == right.count && left.difference(right) == nil
  }
}
