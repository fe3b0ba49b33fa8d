/// The parts of the manual that no command's help says.
enum ManualParts {
  /// What the program is.
  static let description =
    [".Sh DESCRIPTION", ".Nm"]
    + ManualText.running(
      """
      makes albums of a directory of music, plays one from a track to its end without a gap, and keeps one queue. \
      The first command that needs the library reads it; after that, every command answers from the index at once. \
      Whoever starts first plays; every other segue has that player do what is asked for. \
      What it plays is what libsndfile reads, through what libao plays through.
      """)

  /// The variables of the environment that count.
  static let environment = [
    (
      "SEGUE_LIBRARY",
      "Where the music is: a directory, or several with colons between them. Default: ~/Music."
    ),
    ("SEGUE_DATA_DIR", "Where the index is kept. Default: segue in $XDG_DATA_HOME, or in ~/.local/share."),
    (
      "SEGUE_STATE_DIR",
      "Where the queue and the history of lines are kept. Default: segue in $XDG_STATE_HOME, or in ~/.local/state."
    ),
    (
      "SEGUE_SOCKET",
      "Where the player is reached. Default: segue/socket in $XDG_RUNTIME_DIR, or socket in the state directory."
    ),
    ("SEGUE_PLAYLISTS", "Where saved lists are kept. Default: Playlists in the library."),
    ("SEGUE_PAGER", "What shows listings that are longer than the screen. Default: $PAGER, or less."),
    ("SEGUE_COLOR", "What --color takes, where that is not given."),
    ("SEGUE_PLAIN", "1 for --plain on terminals, where that is not given; 0 for none."),
    ("NO_COLOR", "Not empty: no colours, unless they are asked for by always."),
    ("TERM", "dumb: nothing is drawn, and there are no colours."),
    ("SEGUE_LOG", "A file to which every action is written."),
    ("PULSE_LATENCY_MSEC", "What a PulseAudio server is asked to hold; goes before --buffer."),
  ]

  /// The files that the program keeps.
  static let files = [
    ("~/.local/share/segue/index.sqlite", "What is known of the music, in all libraries."),
    (
      "~/.local/state/segue/state.sqlite",
      "The queue with its history, the modes, the volume and the place in the track."
    ),
    ("~/.local/state/segue/owner.lock", "Locked by the process that has the queue."),
    ("~/.local/state/segue/history", "The lines of the REPL."),
    ("~/.editrc", "How lines are edited; see editrc(5)."),
  ]

  /// Where there is more.
  static let seeAlso = [".Sh SEE ALSO", ".Xr mpc 1 ,", ".Xr playerctl 1 ,", ".Xr libao.conf 5"]
}
