// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Tagging
import Terminal
import UnicodeText

/// A request to list something in the library: the library, the query, and the options of the command.
struct ListingRequest {
  /// The syntax of queries, as part of the help.
  static let discussion = """
    QUERY consists of words and "phrases", which are looked for in titles, names and genres, and of fields: artist:coltrane, album:, \
    title:, albumartist:, genre:, composer:, path:, format:flac. ="Blue Train" matches the whole text. \
    year:1957..1965, duration:3:00..5:30, added:7d.., track:, disc:, rate:, bits:, channels:, rating:4.., albumrating:, \
    plays: and skips: accept a value or a range; liked:yes. -live excludes; "or" and parentheses combine. Quote the query for the shell. `segue help queries` has the details.
    """

  let flow: LibraryFlow
  let query: LibraryQuery
  private let text: String
  private let run: ListingRun

  /// Creates the request for the query `words` in the library of `options`. The selected filters narrow it, too.
  ///
  /// - Parameter searchText: The search text for the error message if nothing matches.
  /// - Throws: `LibraryQueryError` if the query is invalid; `PlayerError` or `LibraryError` if the library cannot be
  ///   read; what ``Session/askForLibrary(_:)`` throws.
  init(
    _ words: [String], _ options: ListingOptions, in session: Session, searchText: String = ""
  ) throws {
    try session.askForLibrary(options.library.request(in: session))
    let text = words.joined(separator: " ")
    let library = options.library.request(in: session)
    let filters = try session.flow(library).filters.state
    query = try session.services.library.access.language.query(text, filters)
    self.text = [searchText, text, FilterText.text(filters) ?? ""].filter { !$0.isEmpty }.joined(
      separator: " · ")
    flow = try session.readFlow(library)
    session.detail("query: \(query)")
    run = ListingRun(session: session, options: options, heading: FilterText.text(filters))
  }

  /// Prints the entries that `read` returns, page by page.
  ///
  /// - Throws: `PlayerError` if there are no entries; `LibraryError` if the library cannot be read.
  func print<Value: Sendable, Entry: ListedEntry>(
    _ read: (LibraryPage<Value>.Window) throws(LibraryError) -> LibraryPage<Value>, as entry: (Value) -> Entry
  ) throws {
    if try run.print(read, as: entry) { return }
    if run.options.window.offset != nil || run.options.window.limit == 0 { return }
    let roots = run.options.library.request(in: run.session).roots
    guard text.isEmpty else {
      throw PlayerError(.notFound, "nothing in \(roots) matches \(text.brief)")
    }
    // The index does not contain the number of ignored files.
    let summary = try? run.session.scan(flow, isSilent: true).summary
    guard summary?.trackCount ?? 0 == 0 else {
      throw PlayerError(.notFound, "nothing to list: no file in \(roots) has such a tag")
    }
    throw PlayerError.noMusic(
      in: roots, problemCount: flow.index.problemCount, ignoredCount: summary?.leftOutCount ?? 0)
  }
}

extension ListingRequest {
  /// Prints tracks or albums, with what users and the player note of them: in JSON, in plain lines, and in columns of
  /// their own if the query or the order is about it.
  func print<Entry: ListedEntry & Identifiable<Int64>>(
    in order: LibraryOrder,
    _ read: (LibraryPage<Entry>.Window) throws(LibraryError) -> LibraryPage<Entry>,
    marks: ([Int64]) throws(LibraryError) -> [Int64: RowMarks]
  ) throws {
    func markedPage(
      _ window: LibraryPage<MarkedEntry<Entry>>.Window
    ) throws(LibraryError) -> LibraryPage<MarkedEntry<Entry>> {
      let page = try read(.init(offset: window.offset, limit: window.limit))
      let marks = try marks(page.elements.map(\.id))
      return LibraryPage(page.elements.map { MarkedEntry(entry: $0, marks: marks[$0.id]) }, hasMore: page.hasMore)
    }
    if query.usesMarks || order.key.isMark {
      try print(markedPage) { MarkedColumns(marked: $0) }
    } else {
      try print(markedPage) { $0 }
    }
  }
}

extension PlayerError {
  /// Returns the error for a library that contains no music that can be played. `problemCount` is the number of files
  /// that cannot be played, `ignoredCount` that of ignored files and directories.
  static func noMusic(in roots: LibraryRoots, problemCount: Int, ignoredCount: Int = 0) -> PlayerError {
    var hints: [String] = []
    if problemCount > 0 { hints.append("`segue problems` (\(ItemCount.text(problemCount, "file")))") }
    if ignoredCount > 0 { hints.append("`segue scan --verbose` (\(ignoredCount) ignored)") }
    let what = problemCount > 0 ? "no music in \(roots) can be played" : "no music in \(roots)"
    let advice = hints.isEmpty ? "; choose" : ": see \(hints.joined(separator: " and ")), or choose"
    return PlayerError(.notFound, "\(what)\(advice) another directory with --library")
  }
}

/// Prints a listing of the library page by page, as long as the output is being read.
struct ListingRun {
  /// The maximum number of entries in memory.
  private static let pageSize = 500

  let session: Session
  let options: ListingOptions
  /// The heading to print above the entries on a terminal.
  var heading: String?

  /// Prints the entries that `read` returns, page by page. Returns whether there were any.
  ///
  /// On a terminal, the entries that commands accept are numbered, and the numbers are stored for the next command.
  func print<Value: Sendable, Entry: ListedEntry>(
    _ read: (LibraryPage<Value>.Window) throws(LibraryError) -> LibraryPage<Value>, as entry: (Value) -> Entry
  ) throws -> Bool {
    let first = try page(0, read)
    guard let sample = first.elements.first.map(entry) else { return false }
    guard session.outputStyle.isTerminal, !options.window.json, !session.outputStyle.isQuiet, sample.reference != nil
    else {
      return try print(first, read) { value, _ in entry(value) }
    }
    var references: [ListedReference] = []
    // The number of entries is not known yet, so the column has room for five digits.
    let widest = first.hasMore ? [NumberedEntry(number: 99_999, entry: sample)] : []
    let isPrinted = try print(first, read, widest: widest) { value, index in
      let entry = entry(value)
      if references.count < LastListing.limit, let reference = entry.reference { references.append(reference) }
      return NumberedEntry(number: index + 1, entry: entry)
    }
    // If the numbers cannot be stored, the next command reports that the number is unknown.
    try? LastListing(in: session.stateDirectory).store(references)
    return isPrinted
  }

  /// Returns the page that begins at the index `start` of the requested entries.
  private func page<Value: Sendable>(
    _ start: Int, _ read: (LibraryPage<Value>.Window) throws(LibraryError) -> LibraryPage<Value>
  ) throws -> LibraryPage<Value> {
    let remaining = (options.window.limit ?? .max) - start
    guard remaining > 0 else { return LibraryPage([]) }
    return try read(.init(offset: (options.window.offset ?? 0) + start, limit: min(remaining, Self.pageSize)))
  }

  private func print<Value: Sendable, Entry: ListedEntry>(
    _ first: LibraryPage<Value>, _ read: (LibraryPage<Value>.Window) throws(LibraryError) -> LibraryPage<Value>,
    widest: [Entry] = [], as entry: (Value, _ index: Int) -> Entry
  ) throws -> Bool {
    let printer = ListingPrinter<Entry>(
      session, isJSON: options.window.json, mayPage: !options.window.noPager, heading: heading, widest: widest)
    var page = first
    var count = 0
    while !page.elements.isEmpty {
      let acceptsMore = try printer.print(page.elements.enumerated().map { entry($1, count + $0) })
      count += page.elements.count
      if !acceptsMore || !page.hasMore { break }
      page = try self.page(count, read)
    }
    try printer.finish()
    return count > 0
  }
}
