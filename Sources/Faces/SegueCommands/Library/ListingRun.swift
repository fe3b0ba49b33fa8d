import MusicModel
import SystemPackage

/// Prints what a library answers, page by page, as long as anybody reads.
struct ListingRun {
  /// The most entries that are held at a time.
  private static let pageSize = 500

  let session: Session
  let options: ListingOptions
  /// What stands above the entries on a terminal.
  var heading: String?

  /// Prints what `read` gives for one window after the other; says whether there was anything.
  ///
  /// On a terminal, what commands take has numbers, which mean that for the next command.
  func print<Value: Sendable, Entry: ListedEntry>(
    _ read: (LibraryPage<Value>.Window) throws(LibraryFault) -> LibraryPage<Value>, as entry: (Value) -> Entry
  ) throws(CommandError) -> Bool {
    let first = try page(0, read)
    guard let sample = first.elements.first.map(entry) else { return false }
    guard session.manner.isTerminal, !options.window.json, !session.manner.isQuiet, sample.reference != nil else {
      return try print(first, read) { value, _ in entry(value) }
    }
    var references: [ListedReference] = []
    // How many there will be is not known.
    let widest = first.hasMore ? [NumberedEntry(number: 99_999, entry: sample)] : []
    let isPrinted = try print(first, read, widest: widest) { value, index in
      let entry = entry(value)
      if references.count < LastListing.limit, let reference = entry.reference { references.append(reference) }
      return NumberedEntry(number: index + 1, entry: entry)
    }
    // Without it, a number means nothing, which the next command says.
    try? LastListing(in: session.stateDirectory).keep(references)
    return isPrinted
  }

  /// The page behind so many entries of those that are asked for.
  private func page<Value: Sendable>(
    _ start: Int, _ read: (LibraryPage<Value>.Window) throws(LibraryFault) -> LibraryPage<Value>
  ) throws(CommandError) -> LibraryPage<Value> {
    let left = (options.window.limit ?? .max) - start
    guard left > 0 else { return LibraryPage([]) }
    do throws(LibraryFault) {
      return try read(.init(offset: (options.window.offset ?? 0) + start, limit: min(left, Self.pageSize)))
    } catch {
      throw CommandError(error)
    }
  }

  private func print<Value: Sendable, Entry: ListedEntry>(
    _ first: LibraryPage<Value>, _ read: (LibraryPage<Value>.Window) throws(LibraryFault) -> LibraryPage<Value>,
    widest: [Entry] = [], as entry: (Value, _ index: Int) -> Entry
  ) throws(CommandError) -> Bool {
    let printer = ListingPrinter<Entry>(
      session, isJSON: options.window.json, mayPage: !options.window.noPager, heading: heading, widest: widest)
    var page = first
    var count = 0
    while !page.elements.isEmpty {
      let isRead = try printer.print(page.elements.enumerated().map { entry($1, count + $0) })
      count += page.elements.count
      if !isRead || !page.hasMore { break }
      page = try self.page(count, read)
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
