import MusicLibrary
import SystemPackage

extension TrackFilter {
  /// The file or directory in which everything lies of which it is true, where it says so first.
  var base: FilePath? {
    switch self {
    case .within(let path): path
    case .all(let parts): parts.lazy.compactMap(\.base).first
    default: nil
    }
  }
}

extension IndexedLibrary {
  /// Sees to it that what `filter` is about is in the library.
  ///
  /// - Throws: `noExist` where it is limited to a file or directory that is not there.
  func checkBase(of filter: TrackFilter) throws(ProtocolError) {
    guard let base = filter.base, !base.isEmpty, LibraryName(path: base).segment == nil else { return }
    guard try browsing({ try $0.place(base) != nil }) == true else {
      throw ProtocolError(.noExist, "No such directory")
    }
  }
}
