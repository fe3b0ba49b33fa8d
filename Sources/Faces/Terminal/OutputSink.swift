import Platform
package import SystemPackage

/// Where a session prints.
package enum OutputSink {
  /// Standard output, and this descriptor for what goes to standard error.
  case streams(errors: FileDescriptor)
  /// Lines that are kept for another process.
  case kept(CapturedOutput)

  /// Prints a line on standard output.
  package func say(_ line: String) throws(Errno) {
    switch self {
    case .streams: try StandardStream.output.write(line + "\n")
    case .kept(let lines): lines.say(line)
    }
  }

  /// Prints a line on standard error.
  package func complain(_ line: String) {
    switch self {
    case .streams(let errors): _ = try? errors.writeAll((line + "\n").utf8)
    case .kept(let lines): lines.complain(line)
    }
  }
}

/// What a command has printed for another process.
package final class CapturedOutput {
  /// The lines of standard output.
  package private(set) var output: [String] = []
  /// The lines of standard error.
  package private(set) var errors: [String] = []

  /// Nothing was printed yet.
  package init() {}

  /// Adds lines of standard output.
  func say(_ text: String) {
    output += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Adds a line of standard error.
  func complain(_ line: String) { errors.append(line) }
}
