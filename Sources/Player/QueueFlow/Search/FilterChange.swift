public import MusicModel

/// How filters change.
public enum FilterChange: Sendable, Hashable {
  /// Choose a value.
  case insert(String, of: LibraryFilters.Kind)
  /// Choose a value no longer.
  case remove(String, of: LibraryFilters.Kind)
  /// Choose a value, or no longer where it was chosen.
  case toggle(String, of: LibraryFilters.Kind)
  /// Choose no value of this kind, or with `nil` of any.
  case clear(LibraryFilters.Kind?)

  /// Applies the change to `filters`.
  func apply(to filters: inout LibraryFilters) {
    switch self {
    case .insert(let value, of: let kind): filters.insert(value, of: kind)
    case .remove(let value, of: let kind): filters.remove(value, of: kind)
    case .toggle(let value, of: let kind):
      if filters.values[kind]?.contains(value) == true {
        filters.remove(value, of: kind)
      } else {
        filters.insert(value, of: kind)
      }
    case .clear(let kind): filters.removeAll(of: kind)
    }
  }
}
