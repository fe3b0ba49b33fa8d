import TestSupport
import Testing

extension ProgramTests {
  /// The now-playing view as a window shows it.
  @Suite(.serialized) struct ViewScreen {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test(arguments: [
      (
        20,
        """
        ‖ Lullaby
          Music Box Theatre
          Parlour Pieces (2…
          MP3, lossy, 44100…
          not bit-perfect: …
          0:10 ━━━──── -0:07

          next: Morning Mood
                The Enterta…

          ? keys  q quit
        """
      ),
      (
        80,
        """
        ‖ Lullaby
          Music Box Theatre
          Parlour Pieces (2023)
          MP3, lossy, 44100 Hz, stereo · not bit-perfect: the file's coding is lossy
          0:10 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━───────────────────────── -0:07  0:17  3/5

          next: Morning Mood
                The Entertainer

          ? keys  q quit
        """
      ),
      (
        200,
        """
        ‖ Lullaby
          Music Box Theatre
          Parlour Pieces (2023)
          MP3, lossy, 44100 Hz, stereo · not bit-perfect: the file's coding is lossy
          0:10 \(String(repeating: "━", count: 99) + String(repeating: "─", count: 77)) -0:07  0:17  3/5

          next: Morning Mood
                The Entertainer

          ? keys  q quit
        """
      ),
    ])
    // Without colours there is no cover, which is not drawn alike by all releases of its library.
    func `It shows what plays, from the built program, while time stands still`(columns: Int, text: String)
      throws
    {
      let window = try TerminalWindow(playground, columns: columns)
      try window.type("clear; NO_COLOR=1 segue play parlour lullaby --output silent\n")
      #expect(window.shows("▶ Lullaby"), "\(window.rows)")
      // Not before the output is open, of which a line tells.
      #expect(window.shows("not bit-perfect"), "\(window.rows)")
      try window.press("Space")
      #expect(window.shows("‖ Lullaby"), "\(window.rows)")
      // To the beginning, and 10 seconds on.
      try window.press("Left", "Left")
      #expect(window.shows("  0:00 ──"), "\(window.rows)")
      try window.press("Right")
      let golden = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(eventually { window.rows == golden }, "\(window.rows.joined(separator: "\n"))")
      try window.press("q")
      #expect(window.shows(TerminalWindow.shellPrompt.dropLast()), "\(window.rows)")
    }
  }
}
