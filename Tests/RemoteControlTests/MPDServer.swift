import SystemPackage
import TestSupport

/// A real mpd with a library and no sound, to compare answers with.
final class MPDServer: Sendable {
  /// Where it listens.
  let socket: FilePath
  private let directory: TemporaryDirectory
  private var configuration: FilePath { directory["mpd.conf"] }

  /// Starts one for the music in `root`, and has it read that.
  init(root: FilePath) throws {
    directory = try TemporaryDirectory()
    socket = directory["socket"]
    try directory.makeDirectory("lists")
    let lines = [
      "music_directory \"\(root)\"", "playlist_directory \"\(directory["lists"])\"",
      "db_file \"\(directory["database"])\"", "log_file \"\(directory["log"])\"",
      "pid_file \"\(directory["pid"])\"", "bind_to_address \"\(socket)\"",
      "audio_output {\ntype \"null\"\nname \"null\"\nmixer_type \"software\"\n}",
    ]
    try directory.write(lines.map { $0 + "\n" }.joined().utf8, to: "mpd.conf")
    try Tool.run("mpd", [configuration.string])
    var client = try Conversation(socket)
    _ = try client.say("update")
    while try !client.values("updating_db", "status").isEmpty { _ = try client.say("idle update") }
  }

  deinit { _ = try? Tool.run("mpd", ["--kill", configuration.string]) }
}
