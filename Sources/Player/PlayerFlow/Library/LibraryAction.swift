public import Flux
public import MusicModel
public import SystemPackage

/// What is wanted of the library, or what its reading reports.
public enum LibraryAction: Sendable, Equatable {
  /// Bring this part of the library in step with the disk. While it is being read, this waits, and what waits is read
  /// in one go.
  case scan(ScanScope)
  /// Stop reading, and forget what waits.
  case cancel
  /// Who reads reports something.
  case report(LibraryReport)
}

/// What the reading of the library reports.
public enum LibraryReport: Sendable, Equatable {
  /// What waited is being read now.
  case began
  /// It has come so far within `elapsed`.
  case progressed(ScanProgress, elapsed: Duration)
  /// It is over, and the library is loaded; `isComplete` is `false` where it was cancelled.
  case ended(ScanSummary, isComplete: Bool, elapsed: Duration)
  /// What changes in these directories, and below them, is not seen: the system watches no more.
  case unwatched([FilePath])
  /// It failed.
  case failed(LibraryError, elapsed: Duration)
}

/// Carries what is wanted of the library, and what its reading reports.
public typealias LibraryDispatcher = Dispatcher<LibraryAction>

extension LibraryDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: LibraryDispatcher { sharedLibraryDispatcher }
}

private let sharedLibraryDispatcher = LibraryDispatcher()

/// Says what a view, or who follows the disk, wants of the library. From any thread.
public struct LibraryActionCreator: Sendable {
  private let dispatcher: LibraryDispatcher

  /// One that speaks to `dispatcher`.
  public init(dispatcher: LibraryDispatcher) { self.dispatcher = dispatcher }

  /// Brings this part of the library in step with the disk.
  public func scan(_ scope: ScanScope = .everything) { dispatcher.dispatch(.scan(scope)) }

  /// Says that changes in these directories, and below them, are not seen.
  public func reportUnwatched(_ directories: [FilePath]) {
    dispatcher.dispatch(.report(.unwatched(directories)))
  }

  /// Stops reading.
  public func cancel() { dispatcher.dispatch(.cancel) }
}
