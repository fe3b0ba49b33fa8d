public import SystemPackage

extension FilePath {
  /// The name of what is there: as it is where it is text, or else as ``shown`` shows it, so that names that differ are
  /// shown differently.
  public var shownName: String? { lastComponent?.shown }

  /// ``shownName`` without its suffix.
  public var shownStem: String? {
    guard let component = lastComponent, let name = shownName else { return nil }
    guard component.extension != nil, let dot = name.lastIndex(of: ".") else { return name }
    return String(name[..<dot])
  }
}

extension FilePath.Component {
  fileprivate var shown: String {
    let path = FilePath(root: nil, [self])
    return String(validating: path.systemBytes, as: UTF8.self) ?? path.shown
  }
}
