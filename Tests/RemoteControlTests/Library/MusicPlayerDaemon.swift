import SystemPackage
import TestSupport

@testable import RemoteControl

/// An MPD of the system with a configuration of its own, to compare answers with.
final class MusicPlayerDaemon {
  private let directory: TemporaryDirectory
  let client: ControlClient

  /// One that has read all of the music in `root`.
  init(_ root: FilePath) throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("lists")
    let configuration = """
      music_directory "\(root)"
      playlist_directory "\(directory["lists"])"
      db_file "\(directory["db"])"
      sticker_file "\(directory["stickers"])"
      pid_file "\(directory["pid"])"
      log_file "\(directory["log"])"
      bind_to_address "\(directory["socket"])"
      audio_output {
        type "null"
        name "nothing"
      }
      """
    try directory.write(Array(configuration.utf8), to: "conf")
    // It returns when it listens. What it leaves behind must not hold the descriptors by which the end of a program is
    // noticed.
    let start = "import subprocess, sys; sys.exit(subprocess.call(['mpd', sys.argv[1]]))"
    try Tool.run("python3", ["-c", start, directory["conf"].string])
    var client = try ControlClient(directory["socket"])
    _ = try client.ask("update")
    while try client.ask("status").contains(where: { $0.key == "updating_db" }) {
      _ = try client.ask("idle", ["update"])
    }
    self.client = client
  }

  deinit { _ = try? Tool.run("mpd", [directory["conf"].string, "--kill"]) }
}
