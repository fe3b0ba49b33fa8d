import ArgumentParser

/// How much of a listing is printed, and how.
struct WindowOptions: ParsableArguments {
  @Option(name: .long, help: "Print no more than this many.")
  var limit: Int?

  @Option(name: .long, help: "Leave out this many at the beginning.")
  var offset: Int?

  @Flag(name: .long, help: "Print one JSON object a line.")
  var json = false

  @Flag(name: .long, help: "Print all at once, also where it is longer than the screen.")
  var noPager = false

  func validate() throws {
    for (name, value) in [("--limit", limit), ("--offset", offset)] {
      if let value, value < 0 { throw ValidationError("\(name) takes a number from 0: \(value)") }
    }
  }
}
