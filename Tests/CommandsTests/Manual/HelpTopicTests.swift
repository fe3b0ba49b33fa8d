// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FaceExamples
import Testing
import UserSettings

@testable import Commands

struct HelpTopicTests {
  @Test(arguments: HelpTopic.allCases)
  func `A topic fits on a terminal, contains all its tables, and has examples that parse`(topic: HelpTopic) throws {
    let lines = topic.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 78 && $0.firstRange(of: /{[a-z]+}/) == nil })
    try Examples.expectToParse(in: topic.text, indent: "    ")
  }

  @Test func `The help of the program lists all topics`() {
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(SegueCommand.configuration.discussion == "Topics for `segue help TOPIC`: \(topics).")
  }

  @Test func `help prints a topic, after the help of a command with its name`() throws {
    #expect(HelpTopic(["help", "keys"]) == .keys)
    #expect(HelpTopic(["help"]) == nil && HelpTopic(["help", "play"]) == nil && HelpTopic(["keys", "help"]) == nil)
    #expect(HelpTopic.keys.text(in: SegueCommand.self) == HelpTopic.keys.text)
    let queue = HelpTopic.queue.text(in: SegueCommand.self)
    #expect(queue.contains("USAGE: segue queue") && queue.hasSuffix(HelpTopic.queue.text))
    #expect(throws: CleanExit.self) { try SegueCommand.command(["help", "queries"]) }
  }
}

extension Examples {
  /// Expects that each line of `text` that starts with `indent` and `segue` is a command that parses.
  static func expectToParse(in text: String, indent: String) throws {
    for line in text.split(separator: "\n") where line.hasPrefix(indent + "segue ") {
      // What follows the command is for the shell, or explains the line.
      let command = [" | ", " > ", " < ", " #", "  ", " &"].reduce(String(line.dropFirst(indent.count + 6))) {
        $0.split(separator: $1, maxSplits: 1).first.map(String.init) ?? ""
      }
      let words = try LineTokenizer.words(command)
      do {
        _ = try SegueCommand.command(words)
      } catch  where SegueCommand.exitCode(for: error).isSuccess {
      } catch {
        Issue.record("\(line): \(error)")
      }
    }
  }
}
