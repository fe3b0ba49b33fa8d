import Foundation
import Platform
import SystemPackage

/// A program of the system that makes or reads sound files.
public enum Tool {
  /// A program that ended badly.
  public struct Failure: Error, CustomStringConvertible {
    /// The command, its status, what it wrote to its standard error, and the end of its standard output.
    public let description: String

    /// A failure of this description.
    public init(description: String) { self.description = description }
  }

  /// Whether there is a program of this name.
  public static func exists(_ name: String) -> Bool { find(name) != nil }

  /// Runs `name` with `arguments` and gives what it writes to its standard output.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    guard let program = find(name) else { throw Failure(description: "there is no \(name)") }
    let directory = try TemporaryDirectory()
    let output = directory.file("output")
    let errors = directory.file("errors")
    let process = try ChildProcess(program, arguments, output: try handle(output), errors: try handle(errors))
    let status = process.waitUntilExit().status
    guard status == 0 else {
      // Some, as compilers do, say on their standard output what is wrong.
      let said = try contents(of: errors) + contents(of: output).suffix(2000)
      let text = String(decoding: said, as: UTF8.self)
      throw Failure(description: "\(name) \(arguments): \(status) \(text)")
    }
    return try contents(of: output)
  }

  private static func handle(_ path: FilePath) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: path.string, contents: nil)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
  }

  /// The program at the path `name`, or of this name.
  private static func find(_ name: String) -> String? {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
    return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
