public import SystemPackage

/// A command of the command line that another process of the same user has the player obey.
public struct ForwardedCommand: Sendable, Equatable {
  /// The words behind the program's name, byte for byte.
  public var words: [[UInt8]]
  /// Where relative paths begin; absolute.
  public var workingDirectory: FilePath
  /// How many columns the terminal has that shows the answer; `nil` where none does.
  public var columns: Int?
  /// How the answer is written: one word of ASCII, which both sides understand.
  public var manner: String

  /// The command of these words.
  public init(words: [[UInt8]], workingDirectory: FilePath, columns: Int?, manner: String = "-") {
    self.words = words
    self.workingDirectory = workingDirectory
    self.columns = columns
    self.manner = manner
  }
}

/// What came of a command that was forwarded.
public struct ForwardedOutcome: Sendable, Equatable {
  /// The lines for standard output, safe for a terminal, or as JSON.
  public var output: [String]
  /// The lines for standard error, safe for a terminal.
  public var errors: [String]
  /// The status to end with.
  public var status: Int32
  /// Whether the lines say which track is about to begin.
  public var saysTrack: Bool
  /// The word of the command that means several things, which are the lines of the output; `nil` where none does.
  public var ambiguousText: String?
  /// What means one of these each where it is written in its place.
  public var answers: [String] = []
  /// The line of ``output`` that a pager is to begin with, counted from 1.
  public var firstLine: Int?

  /// An outcome of these parts.
  public init(
    output: [String], errors: [String], status: Int32, saysTrack: Bool = false, firstLine: Int? = nil
  ) {
    self.output = output
    self.errors = errors
    self.status = status
    self.saysTrack = saysTrack
    self.firstLine = firstLine
  }
}
