import MusicLibrary
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// What mpd answers about the library.
  @Suite struct LibraryComparisonTests {
    /// Not compared: the depth of compressed sound, which a decoder makes up, how long it lasts by the ways of two
    /// libraries, and what MPD does not read in ID3 tags.
    private static func lines(_ answer: [String]) -> [String] {
      let others = ["Format: ", "duration: ", "Time: ", "ComposerSort: "]
      return answer.filter { line in !others.contains { line.hasPrefix($0) } }.sorted()
    }

    @Test(.enabled(if: Tool.exists("mpd"))) func `What MPD answers is answered`() throws {
      let rig = try LibraryRig()
      let daemon = try MusicPlayerDaemon(rig.library.roots.first)
      var (ours, theirs) = (try rig.rig.client(), daemon.client)
      // Each knows tags that the other does not.
      let known = try theirs.ask("tagtypes").map(\.value).filter { SongTag(rawValue: $0) != nil }
      for words in [["tagtypes", "clear"], ["tagtypes", "enable"] + known] {
        #expect(try ours.answer(words) == theirs.answer(words))
      }
      for words in LibraryCommandTests.same {
        let (answer, expected) = (try ours.answer(words), try theirs.answer(words))
        // Of a refusal the code counts.
        if expected.first?.hasPrefix("ACK ") == true {
          #expect(answer.first?.prefix(6) == expected.first?.prefix(6), "\(words)")
        } else {
          #expect(answer == expected, "\(words)")
        }
      }
      for words in LibraryCommandTests.sameSongs {
        let (answer, expected) = (try Self.lines(ours.answer(words)), try Self.lines(theirs.answer(words)))
        #expect(answer == expected, "\(words)")
      }
      #expect(
        try ours.answer(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"]).filter {
          $0.hasPrefix("file: ")
        }
          == theirs.answer(["find", "artist", "The Clockwork Consort", "sort", "-title", "window", "1:3"])
          .filter {
            $0.hasPrefix("file: ")
          })
    }
  }
}
