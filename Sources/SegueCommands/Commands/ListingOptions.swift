import ArgumentParser
import MusicModel

/// Which library is asked, and how its answer is printed.
struct ListingOptions: ParsableArguments {
  @Option(name: .long, help: "Print no more than this many.")
  var limit: Int?

  @Option(name: .long, help: "Leave out this many at the beginning.")
  var offset: Int?

  @Flag(name: .long, help: "Print one JSON object a line.")
  var json = false

  @Flag(name: .long, help: "Print all at once, also where it is longer than the screen.")
  var noPager = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions

  func validate() throws {
    for (name, value) in [("--limit", limit), ("--offset", offset)] {
      if let value, value < 0 { throw ValidationError("\(name) takes a number from 0: \(value)") }
    }
  }
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
