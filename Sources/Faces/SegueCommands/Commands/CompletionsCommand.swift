import ArgumentParser

/// `completions`: prints what a shell needs to complete the command line.
struct CompletionsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completions for a shell: bash, zsh or fish.",
    discussion: """
      The shell reads them once, and asks the program from then on, so that albums, artists, tracks and saved lists are completed as \
      the index has them.

      Examples:
        completions bash > ~/.local/share/bash-completion/completions/segue
        completions zsh > ~/.zfunc/_segue
        completions fish > ~/.config/fish/completions/segue.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: CompletedShell

  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws { session.say(shell.script) }
}

extension CompletionsCommand: CompletedCommand {
  static func subject(after arguments: [String]) -> CompletionSubject {
    arguments.isEmpty ? .choice(CompletedShell.allCases.map(\.rawValue)) : .nothing
  }
}
