import TestSupport
import Testing

@testable import RemoteControl

extension ProgramLane {
  /// What mpd answers about channels.
  @Suite struct MessageComparisonTests {
    @Test(.enabled(if: Tool.exists("mpd")))
    func `What is wrong with a channel is answered as mpd does`() throws {
      let library = try RemoteLibraryRig()
      let mpd = try MusicPlayerDaemon(library.root)
      var mine = try Conversation(library)
      var theirs = Conversation(mpd.client)
      let script =
        [
          "channels", "readmessages", "subscribe", "subscribe b", "subscribe a", "subscribe a", "channels",
          "sendmessage a", "sendmessage a 1", "sendmessage c 2", "sendmessage \"\" 3", "sendmessage \"a b\" 4",
          "sendmessage b \"5 ' 6\"", "readmessages", "readmessages", "unsubscribe c", "unsubscribe b",
          "channels", "sendmessage b 7", "subscribe \"\"", "subscribe \"a b\"", "subscribe ä",
          "subscribe A.z:0_9-",
          "unsubscribe \"\"", "subscribe b",
        ] + (0...16).map { "subscribe x\($0)" } + ["channels"] + (0...64).map { "sendmessage a \($0)" }
        + ["readmessages", "sendmessage a again", "readmessages"]
      for line in script {
        let (answer, expected) = (try mine.say(line), try theirs.say(line))
        #expect(answer.sorted() == expected.sorted(), "\(line)")
      }
    }
  }
}
