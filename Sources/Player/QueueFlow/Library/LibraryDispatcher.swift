public import Flux

/// Carries what is wanted of the library, and what its reading reports.
public typealias LibraryDispatcher = Dispatcher<LibraryAction>

extension LibraryDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: LibraryDispatcher { sharedLibraryDispatcher }
}

private let sharedLibraryDispatcher = LibraryDispatcher()
