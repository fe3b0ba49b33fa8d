/// Makes a list of pieces of other lists and of new elements: whole pages are shared, small ones are joined.
struct PageListBuilder<Element: QueuePageElement> {
  private var pages: [QueuePage] = []
  private var pending: [Element] = []
  private let makePage: ([Element]) -> QueuePage

  /// A builder of a list whose pages are made so.
  init(_ makePage: @escaping ([Element]) -> QueuePage) { self.makePage = makePage }

  /// Appends the elements of `list` in `range`.
  mutating func append(_ list: PageList<Element>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var page = list.ends.firstIndex(behind: range.lowerBound)
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

  /// Appends these elements.
  mutating func append(_ elements: some Sequence<Element>) {
    pending.append(contentsOf: elements)
    if pending.count >= 2 * QueuePage.capacity { flush(keeping: QueuePage.capacity) }
  }

  /// The list of what was appended.
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

  private mutating func flush(keeping kept: Int) {
    var start = 0
    while pending.count - start > kept {
      let left = pending.count - start
      // The last two share what is left, so that neither is small.
      let size =
        left <= QueuePage.capacity
        ? left : left < 2 * QueuePage.capacity && kept == 0 ? (left + 1) / 2 : QueuePage.capacity
      pages.append(makePage(Array(pending[start..<(start + size)])))
      start += size
    }
    pending.removeFirst(start)
  }
}
