import ArgumentParser

/// `manual`: prints the page of the manual.
struct ManualCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual as a page for man.",
    discussion: """
      It is made of what `segue help` says of each command.

      Examples:
        manual | man -l -
        manual > ~/.local/share/man/man1/segue.1
      """)

  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let page = ManualPage(of: SegueCommand.self, repl: ReplWord.self) else {
      throw CommandError(.failure, "the argument parser says something else of the commands than expected")
    }
    session.say(page.text)
  }
}
