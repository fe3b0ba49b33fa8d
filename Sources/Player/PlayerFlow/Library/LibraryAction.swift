// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import SystemPackage

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
