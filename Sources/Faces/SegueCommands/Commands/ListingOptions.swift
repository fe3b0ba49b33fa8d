import ArgumentParser
import MusicModel

/// Which library is asked, and how its answer is printed.
struct ListingOptions: ParsableArguments {
  @OptionGroup var window: WindowOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
}

/// In which order.
struct OrderOptions: ParsableArguments {
  @Option(name: .long, help: "Sort by album, title, artist, year, added or duration.")
  var sort: String?

  @Flag(name: .long, help: "Sort the other way round.")
  var reverse = false

  /// The order that is asked for.
  var order: LibraryOrder {
    LibraryOrder(sort.flatMap(LibraryOrder.Key.init(rawValue:)) ?? .album, isDescending: reverse)
  }

  func validate() throws {
    if let sort, LibraryOrder.Key(rawValue: sort) == nil {
      let keys = LibraryOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--sort \(sort) is not known: it is one of \(keys)")
    }
  }
}
