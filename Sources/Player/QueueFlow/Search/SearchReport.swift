public import MusicModel

/// What was read for a listing; by the number of what was asked.
public enum SearchReport: Sendable, Equatable {
  /// This page answers it.
  case answered(UInt64, SearchPage)
  /// It has no answer.
  case failed(UInt64, SearchFault)
  /// These values can be chosen.
  case offered(UInt64, LibraryPage<NameEntry>)
  /// What can be chosen could not be read.
  case offeringFailed(UInt64, SearchFault)
  /// The library may hold something else than before.
  case libraryChanged
}
