public import Flux
public import MusicModel
public import SystemPackage

/// Says what a view, or who follows the disk, wants of the library. From any thread.
public struct LibraryActionCreator: Sendable {
  private let dispatcher: LibraryDispatcher

  /// One that speaks to `dispatcher`.
  public init(dispatcher: LibraryDispatcher) { self.dispatcher = dispatcher }

  /// Brings this part of the library in step with the disk.
  public func scan(_ scope: ScanScope = .everything) { dispatcher.dispatch(.scan(scope)) }

  /// Reads again what could not be read, or was cancelled.
  public func retry() { dispatcher.dispatch(.retry) }

  /// Says that changes in these directories, and below them, are not seen.
  public func reportUnwatched(_ directories: [FilePath]) {
    dispatcher.dispatch(.report(.unwatched(directories)))
  }

  /// Stops reading.
  public func cancel() { dispatcher.dispatch(.cancel) }
}
