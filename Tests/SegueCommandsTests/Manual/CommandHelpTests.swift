import ArgumentParser
import Foundation
import Testing

@testable import SegueCommands

struct CommandHelpTests {
  @Test(arguments: [SegueCommand.self, ReplWord.self] as [any ParsableCommand.Type])
  func `Every command has examples, and each is parsed as that command`(root: any ParsableCommand.Type) throws {
    for command in try #require(CommandHelp.all(of: root)) {
      #expect(!command.examples.isEmpty, "\(command.path)")
      for example in command.examples {
        // What follows is the shell's.
        let line = [" | ", " > ", " < "].reduce(example) { $0.components(separatedBy: $1)[0] }
        let words = try LineTokenizer.words(line)
        #expect(words.starts(with: command.path.prefix(1)), "\(example)")
        let parsed = try root.parseAsRoot(words)
        let names = type(of: parsed).commandNames
        // A command that several others follow shows these as well.
        if command.description.commands.isEmpty {
          #expect(names.contains(command.path.last ?? "") || command.path.last == "list", "\(example)")
        }
      }
    }
  }

  @Test func `Help shows the examples`() {
    #expect(PlayCommand.helpMessage(columns: 80).contains("play \"Miles Davis/Kind of Blue\" 3"))
    #expect(SegueCommand.helpMessage(for: NextCommand.self).contains("Example:\n"))
  }
}
