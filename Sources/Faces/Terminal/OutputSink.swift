// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
package import SystemPackage

/// The destination of a session's output.
package enum OutputSink {
  /// Standard output, and a descriptor for errors.
  case streams(errors: FileDescriptor)
  /// A buffer whose lines are sent to another process.
  case captured(CapturedOutput)

  /// Prints a line on standard output.
  package func printLine(_ line: String) throws(Errno) {
    switch self {
    case .streams: try StandardStream.output.write(line + "\n")
    case .captured(let capture): capture.printLine(line)
    }
  }

  /// Whether errors go to the system's journal.
  package var isJournal: Bool {
    if case .streams(let errors) = self { ServiceManager.isJournal(errors) } else { false }
  }

  /// Prints a line on standard error.
  package func printError(_ line: String) {
    switch self {
    case .streams(let errors): _ = try? errors.writeAll((line + "\n").utf8)
    case .captured(let capture): capture.printError(line)
    }
  }
}

/// The output of a command, captured for the process that requested the command.
package final class CapturedOutput {
  /// The captured lines of standard output.
  package private(set) var output: [String] = []
  /// The captured lines of standard error.
  package private(set) var errors: [String] = []

  /// Creates an empty capture.
  package init() {}

  /// Captures text for standard output, split into lines.
  func printLine(_ text: String) {
    output += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Captures a line for standard error.
  func printError(_ line: String) { errors.append(line) }
}
