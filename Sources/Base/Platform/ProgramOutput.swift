// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// Runs a program of the user for what it prints.
public enum ProgramOutput {
  /// Why there is no output.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case failed(Errno)
    case timeout
    /// The program has failed, or printed more than ``limit`` bytes.
    case badResult

    public var description: String {
      switch self {
      case .notFound: "there is no such program"
      case .failed(let error): "\(error)"
      case .timeout: "it does not end"
      case .badResult: "it fails"
      }
    }
  }

  /// The maximum number of bytes that a program may print.
  public static let limit = 1 << 16

  /// Runs a program without a shell, and returns what it has printed on standard output. Blocks until it has ended, but
  /// at most for `milliseconds`, after which it is killed. Its standard input is empty.
  ///
  /// - Parameter words: The program, by its path or by a name that is looked for in `$PATH`, and its arguments.
  public static func text(of words: [String], milliseconds: UInt64) throws(Failure) -> String {
    guard let name = words.first, let path = UserPrograms.path(of: name) else { throw .notFound }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    let (reader, process) = try start(path, words)
    defer { try? reader.close() }
    let output = Result { () throws(Failure) in try read(reader, until: deadline) }
    if case .failure = output { kill(-process, SIGKILL) }
    var status: CInt = 0
    // A program that has closed its output may still be running.
    while unsafe waitpid(process, &status, WNOHANG) == 0 {
      if MonotonicInstant.now >= deadline { kill(-process, SIGKILL) }
      usleep(1_000)
    }
    let bytes = try output.get()
    guard status == 0 else { throw .badResult }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func start(_ path: FilePath, _ words: [String]) throws(Failure) -> (FileDescriptor, pid_t) {
    do throws(Errno) {
      let output = try FileDescriptor.ownPipe()
      defer { try? output.writeEnd.close() }
      let input = try HelperPipe.reader(of: [])
      defer { try? input.close() }
      do throws(Errno) {
        let process = try ProgramStart.spawn(
          path, words, input: input, outputs: .pipe(output.writeEnd), isForeground: false
        ) { _ in true }
        return (output.readEnd, process)
      } catch {
        try? output.readEnd.close()
        throw error
      }
    } catch {
      throw .failed(error)
    }
  }

  private static func read(_ reader: FileDescriptor, until deadline: MonotonicInstant) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var polled = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
      let timeout = deadline.pollTimeout
      guard timeout > 0 else { throw .timeout }
      guard unsafe poll(&polled, 1, timeout) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = (try? unsafe chunk.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }) ?? 0
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw .badResult
  }
}
