import ArgumentParser
import MusicLibrary
import MusicModel

/// `problems`: lists what cannot be in the library, and why.
struct ProblemsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "problems", abstract: "List the files that cannot be in the library, and why.",
    discussion: """
      Examples:
        problems
        problems --json
      """)

  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let flow = try session.readFlow(options.request(in: session))
    _ = try ListingRun(session: session, options: options).print { window throws(LibraryFault) in
      try flow.index.problems(window: window)
    } as: { (problem: ProblemEntry) in
      problem
    }
  }
}
