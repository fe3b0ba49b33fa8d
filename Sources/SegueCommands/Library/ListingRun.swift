import MusicModel

/// Prints what a library answers, page by page, as long as anybody reads.
struct ListingRun {
  /// The most entries that are held at a time.
  private static let pageSize = 500

  let session: Session
  let options: ListingOptions
  /// What stands above the entries on a terminal.
  var heading: String?

  /// Prints what `read` gives for one window after the other; says whether there was anything.
  func print<Value: Sendable, Entry: ListedEntry>(
    _ read: (LibraryPage<Value>.Window) throws(LibraryFault) -> LibraryPage<Value>, as entry: (Value) -> Entry
  ) throws(CommandError) -> Bool {
    let printer = ListingPrinter<Entry>(
      session, isJSON: options.window.json, mayPage: !options.window.noPager, heading: heading)
    var offset = options.window.offset ?? 0
    var left = options.window.limit ?? .max
    var count = 0
    while left > 0 {
      let page: LibraryPage<Value>
      do throws(LibraryFault) {
        page = try read(.init(offset: offset, limit: min(left, Self.pageSize)))
      } catch {
        throw CommandError(error)
      }
      let isRead = try printer.print(page.elements.map(entry))
      count += page.elements.count
      left -= page.elements.count
      offset += page.elements.count
      if !isRead || !page.hasMore || page.elements.isEmpty { break }
    }
    try printer.finish()
    return count > 0
  }
}

extension CommandError {
  /// What to say of a library that cannot be read or asked.
  init(_ fault: LibraryFault) {
    self.init(fault.kind == .directory ? .unreadableLibrary : .failure, fault.description)
  }
}
