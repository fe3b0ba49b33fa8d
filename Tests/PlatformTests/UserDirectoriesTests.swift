import SystemPackage
import Testing

@testable import Platform

struct UserDirectoriesTests {
  private func music(_ text: String) -> FilePath? { UserDirectories.music(in: Array(text.utf8), home: "/home/a") }

  @Test(arguments: [
    ("# x\nXDG_DESKTOP_DIR=\"$HOME/Desk\"\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n", "/home/a/Musik"),
    ("  XDG_MUSIC_DIR=\"/srv/music\"", "/srv/music"), ("XDG_MUSIC_DIR=\"$HOME/a \\\"b\\$\" # x\n", "/home/a/a \"b$"),
    ("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"/b\"\n", "/b"),
  ])
  func `The directory of music is the one that the file names`(text: String, path: FilePath) {
    #expect(music(text) == path)
  }

  @Test(arguments: [
    "", "XDG_MUSIC_DIR=$HOME/Music\n", "XDG_MUSIC_DIR=\"$HOME\"\n", "XDG_MUSIC_DIR=\"$HOME/\"\n",
    "XDG_MUSIC_DIR=\"Music\"\n", "XDG_MUSIC_DIR=\"/a", "XDG_MUSIC_DIR=\"/a\\", "#XDG_MUSIC_DIR=\"/a\"\n",
    "XDG_MUSIC_DIR=\"$HOMES/a\"\n", "XDG_MUSIC_DIR=\"/a\u{0}b\"\n",
  ])
  func `What names no directory, or the home, names none`(text: String) { #expect(music(text) == nil) }
}
