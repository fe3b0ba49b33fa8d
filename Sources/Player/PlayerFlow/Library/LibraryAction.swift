// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import SystemPackage

/// A request to scan the library, or a report about a scan.
public enum LibraryAction: Sendable, Equatable {
  /// Update this part of the library from the disk. A request during a scan waits for its end, and all waiting requests
  /// are scanned together.
  case scan(ScanScope)
  /// Cancel the scan and drop all waiting requests.
  case cancel
  /// The scan reports something.
  case report(LibraryReport)
}

/// A report about a library scan.
public enum LibraryReport: Sendable, Equatable {
  /// The scan of the waiting requests has begun.
  case began
  /// The progress after `elapsed`.
  case progressed(ScanProgress, elapsed: Duration)
  /// The scan has ended and the library is loaded. `isComplete` is `false` if it was cancelled.
  case ended(ScanSummary, isComplete: Bool, elapsed: Duration)
  /// Changes in these directories, and below them, are not noticed: the system allows no further watches.
  case unwatched([FilePath])
  /// The scan failed.
  case failed(LibraryError, elapsed: Duration)
}

/// Delivers requests to scan the library, and reports about scans.
public typealias LibraryDispatcher = Dispatcher<LibraryAction>

extension LibraryDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: LibraryDispatcher { sharedLibraryDispatcher }
}

private let sharedLibraryDispatcher = LibraryDispatcher()

/// Dispatches the requests of views, and of whatever follows the disk, to the library. From any thread.
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
