// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import TestSupport

/// A library that answers when the test allows it, and records all calls.
final class FakeRepository: LibraryRepository {
  /// A recorded call.
  enum Call: Hashable {
    case scan(ScanScope)
    case tracks(LibraryQuery, LibraryOrder, offset: Int, limit: Int?)
    case albums(LibraryQuery, LibraryOrder, offset: Int, limit: Int?)
    case artists(LibraryQuery, offset: Int, limit: Int?)
    case genres(LibraryQuery, offset: Int, limit: Int?)
    case search(String, LibraryQuery, limit: Int)
  }

  /// The contents of the library, and the progress of the calls.
  struct State: Sendable {
    /// All calls so far, in order.
    var calls: [Call] = []
    /// The number of calls that may return; `nil` for no limit.
    var granted: Int?
    var returnedCount = 0
    /// The error that every call except a scan throws.
    var error: LibraryError?
    /// The albums in the library.
    var albums: [AlbumEntry] = []
    /// The genres in the library.
    var genres: [NameEntry] = []
    /// The result of a scan.
    var scanResult: Result<ScanSummary, LibraryError> = .success(ScanSummary())
    /// The number of files that a scan reads. It checks for cancellation before each.
    var fileCount = 0
    /// The number of files read so far.
    var readCount = 0
  }

  let state: Watched<State>

  /// Creates a library whose calls return at once or, if `blocksCalls` is set, when the test permits it.
  init(blocksCalls: Bool = false) { state = Watched(State(granted: blocksCalls ? 0 : nil)) }

  /// All calls so far, in order.
  var calls: [Call] { state.value.calls }

  /// Lets one more call return.
  func grantOne() { state.change { $0.granted = ($0.granted ?? 0) + 1 } }

  /// Lets all calls return from now on.
  func grantAll() { state.change { $0.granted = nil } }

  /// Blocks until there have been `count` calls. Returns `false` on timeout.
  func awaitCalls(_ count: Int) -> Bool { state.wait { $0.calls.count >= count } }

  /// Records the call, and blocks until it may return.
  private func recordAndWait(_ call: Call) {
    let number = state.change { state in
      state.calls.append(call)
      return state.calls.count
    }
    _ = state.wait { $0.granted.map { $0 >= number } ?? true }
    state.change { $0.returnedCount += 1 }
  }

  /// Returns `value` of the state at the time when the call may return.
  private func answer<Value>(_ call: Call, _ value: (State) -> Value) throws(LibraryError) -> Value {
    recordAndWait(call)
    let state = state.value
    if let error = state.error { throw error }
    return value(state)
  }

  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(.everything, progress: progress, isCancelled: isCancelled)
  }

  func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    let total = state.value.fileCount
    recordAndWait(.scan(scope))
    for number in 0..<total {
      if isCancelled() { break }
      state.change { $0.readCount += 1 }
      progress(ScanProgress(seenCount: number + 1, readCount: number + 1, totalCount: total))
    }
    return try state.value.scanResult.get()
  }

  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry> {
    try answer(.tracks(query, order, offset: window.offset, limit: window.limit)) { _ in LibraryPage([]) }
  }

  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry> {
    try answer(.albums(query, order, offset: window.offset, limit: window.limit)) { state in
      let remaining = state.albums.dropFirst(window.offset)
      let page = remaining.prefix(window.limit ?? remaining.count)
      return LibraryPage(Array(page), hasMore: page.count < remaining.count)
    }
  }

  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    try answer(.artists(query, offset: window.offset, limit: window.limit)) { _ in LibraryPage([]) }
  }

  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry> {
    try answer(.genres(query, offset: window.offset, limit: window.limit)) { LibraryPage($0.genres) }
  }

  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryError) -> [SearchHit] {
    try answer(.search(text, query, limit: limit)) { state in
      Array(state.albums.lazy.map { .album($0) }.prefix(limit))
    }
  }

  func album(_ id: Int64) throws(LibraryError) -> Album? { nil }

  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry> { LibraryPage([]) }
}

extension AlbumEntry {
  /// Returns an album with this id.
  static func numbered(_ id: Int64) -> AlbumEntry {
    AlbumEntry(
      id: id, title: "Album \(id)", artist: nil, date: nil, isCompilation: false, trackCount: 1,
      duration: .seconds(60), added: 0)
  }
}
