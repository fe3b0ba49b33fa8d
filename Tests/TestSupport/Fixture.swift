public import SystemPackage

/// The files of `Fixtures`.
public enum Fixture {
  /// The directory `Fixtures` of the repository.
  public static let directory = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().appending("Fixtures")

  /// A file of `Fixtures/Broken`.
  public static func broken(_ name: String) -> FilePath {
    directory.appending("Broken").appending(name)
  }

  /// A file of `Fixtures/Music`.
  public static func music(_ path: String) -> FilePath {
    directory.appending("Music").pushing(FilePath(path))
  }

  /// The three tracks of *Ground and Air* that were cut from one recording.
  public static var canon: [FilePath] {
    ["01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three"].map {
      music("The Clockwork Consort/Ground and Air/\($0).flac")
    }
  }
}
