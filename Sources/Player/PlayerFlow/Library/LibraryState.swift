// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import SystemPackage

/// The state of library scans in this program.
public struct LibraryState: Sendable, Equatable {
  /// The phase of library scanning.
  public enum Phase: Sendable, Equatable {
    case idle
    case scanning(ScanProgress)
    /// The last scan failed.
    case failed(LibraryError)
  }

  /// The phase of library scanning.
  public private(set) var phase = Phase.idle
  /// The duration of the running scan so far, or of the last one.
  public private(set) var elapsed = Duration.zero
  /// The changes made by the last scan that did not fail; `nil` if there was none.
  public private(set) var summary: ScanSummary?
  /// Whether the last scan was cancelled, or the running one has been cancelled and is about to end.
  public private(set) var isCancelled = false
  /// Whether the library directory was missing when it was last scanned.
  public private(set) var isAbsent = false
  /// A number that increases whenever the library's content may have changed.
  public private(set) var version: UInt64 = 0
  /// The number of scans that have begun.
  public private(set) var scanCount: UInt64 = 0
  /// The scope of the running scan; `nil` if none is running.
  public private(set) var running: ScanScope?
  /// The scope that was requested and will be scanned next; `nil` if there is none.
  public private(set) var waiting: ScanScope?
  /// The scope whose scan failed or was cancelled, and that has not been scanned since; `nil` if there is none.
  public private(set) var missed: ScanScope?

  /// The directories in and below which changes on disk are not noticed.
  public private(set) var unwatched: [FilePath] = []

  /// Creates the state before the first scan.
  public init() {}

  /// Whether a scan is running or about to start.
  public var isBusy: Bool { running != nil || waiting != nil }

  /// Applies `action`; returns whether the state changed.
  public mutating func reduce(_ action: LibraryAction) -> Bool {
    switch action {
    case .scan(let scope): return wait(for: scope)
    case .cancel: return cancel()
    case .report(let report): return reduce(report)
    }
  }

  private mutating func reduce(_ report: LibraryReport) -> Bool {
    if case .unwatched(let directories) = report {
      defer { unwatched = directories }
      return unwatched != directories
    }
    guard case .began = report else { return running != nil && reduceRunning(report) }
    guard running == nil, var scope = waiting.take() else { return false }
    // A scope that failed is not up to date, and is scanned again along with the next. A cancelled one is not.
    if case .failed = phase, let missed { scope.formUnion(missed) }
    running = scope.simplified
    scanCount += 1
    phase = .scanning(ScanProgress())
    elapsed = .zero
    isCancelled = false
    return true
  }

  private mutating func reduceRunning(_ report: LibraryReport) -> Bool {
    switch report {
    case .began, .unwatched: return false
    case .progressed(let progress, let elapsed):
      if phase == .scanning(progress), self.elapsed == elapsed { return false }
      phase = .scanning(progress)
      self.elapsed = elapsed
    case .ended(let summary, let isComplete, let elapsed):
      let wasAbsent = isAbsent
      end(isComplete: isComplete, elapsed)
      phase = .idle
      self.summary = summary
      isAbsent = summary.isAbsent
      if summary.hasChanged || isAbsent != wasAbsent { version += 1 }
    case .failed(let error, let elapsed):
      // The results from before the error are preserved.
      if case .scanning(let progress) = phase, progress.readCount > 0 { version += 1 }
      end(isComplete: false, elapsed)
      isCancelled = false
      phase = .failed(error)
    }
    return true
  }

  private mutating func end(isComplete: Bool, _ elapsed: Duration) {
    guard let scope = running.take() else { return }
    self.elapsed = elapsed
    isCancelled = !isComplete
    if isComplete {
      if let missed, scope.contains(missed) { self.missed = nil }
    } else if missed?.formUnion(scope) == nil {
      missed = scope
    }
  }

  private mutating func wait(for scope: ScanScope) -> Bool {
    if waiting?.contains(scope) == true { return false }
    if waiting?.formUnion(scope) == nil { waiting = scope }
    return true
  }

  private mutating func cancel() -> Bool {
    let isCancelling = running != nil && !isCancelled
    guard waiting != nil || isCancelling else { return false }
    waiting = nil
    if isCancelling { isCancelled = true }
    return true
  }
}

/// The store of the state of library scans, and the only place where library actions are reduced.
public final class LibraryStore: Sendable {
  private let store: Store<LibraryState>

  /// Creates a store that starts without a scan and reduces the actions of `dispatcher`. Subscribers that are added
  /// later get each action after the store.
  public init(dispatcher: LibraryDispatcher) {
    store = Store(LibraryState(), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The current state. Can be read from any thread.
  public var state: LibraryState { store.state }

  /// Calls `receive` immediately with the current state, and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (LibraryState) -> Void) -> Subscription {
    store.observe(receive)
  }
}

/// A request to scan the library, or a report about a scan.
public enum LibraryAction: Sendable, Equatable {
  /// Update this part of the library from the disk. A request during a scan waits until the scan ends; all waiting
  /// requests are then scanned together.
  case scan(ScanScope)
  /// Cancel the scan and drop all waiting requests.
  case cancel
  case report(LibraryReport)
}

/// A report about a library scan.
public enum LibraryReport: Sendable, Equatable {
  /// The scan of the waiting requests has begun.
  case began
  /// The progress of the scan after the time `elapsed`.
  case progressed(ScanProgress, elapsed: Duration)
  /// The scan has ended and the library is loaded. `isComplete` is `false` if the scan was cancelled.
  case ended(ScanSummary, isComplete: Bool, elapsed: Duration)
  /// Changes in these directories, and below them, are not noticed: the system grants no more watches.
  case unwatched([FilePath])
  case failed(LibraryError, elapsed: Duration)
}

/// Delivers requests to scan the library, and reports about scans.
public typealias LibraryDispatcher = Dispatcher<LibraryAction>

extension LibraryDispatcher {
  /// The shared dispatcher of the running program. Only the composition root uses it directly.
  public static var shared: LibraryDispatcher { sharedLibraryDispatcher }
}

private let sharedLibraryDispatcher = LibraryDispatcher()

/// Dispatches requests to the library, from views and from the file system watch. Can be used from any thread.
public struct LibraryActionCreator: Sendable {
  private let dispatcher: LibraryDispatcher

  /// Creates an action creator for `dispatcher`.
  public init(dispatcher: LibraryDispatcher) { self.dispatcher = dispatcher }

  /// Updates this part of the library from the disk.
  public func scan(_ scope: ScanScope = .everything) { dispatcher.dispatch(.scan(scope)) }

  /// Reports that changes in these directories, and below them, are not noticed.
  public func reportUnwatched(_ directories: [FilePath]) {
    dispatcher.dispatch(.report(.unwatched(directories)))
  }

  /// Cancels the scan and drops all waiting requests.
  public func cancel() { dispatcher.dispatch(.cancel) }
}
