// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import CStandard
import Synchronization
public import SystemPackage

/// Starts the user's programs in the background. Can be used from any thread.
///
/// A program is started without a shell, in a process group of its own; what it prints is discarded. At most a few run
/// at the same time, and those that exceed the time limit are killed with their process group. What a program leaves
/// running when it ends is not watched.
public final class UserPrograms: Sendable {
  /// Why a program was not started.
  public enum StartError: Error, Equatable {
    case notFound(String)
    /// As many as allowed are running.
    case tooMany
    case failed(Errno)
  }

  /// How a program has ended.
  public enum End: Sendable, Equatable {
    /// It has exited with this status.
    case exited(Int32)
    /// This signal has killed it.
    case killed(Int32)
  }

  private struct Running {
    let process: pid_t
    let deadline: MonotonicInstant
    let onEnd: @Sendable (End) -> Void
    var end: End?
  }

  /// The maximum number of bytes of input: what a pipe holds on every system.
  public static let inputLimit = 16 << 10

  private let limit: Int
  private let milliseconds: UInt64
  private let running = Mutex<[Running]>([])

  /// Creates a runner of at most `limit` programs at the same time, each for at most `milliseconds`.
  public init(limit: Int = 8, milliseconds: UInt64 = 30_000) {
    self.limit = limit
    self.milliseconds = milliseconds
  }

  /// Starts a program. Blocks until it has ended only if the system cannot create the thread that watches it.
  ///
  /// - Parameters:
  ///   - words: The program, by its path or by a name that is looked for in `$PATH`, and its arguments.
  ///   - variables: Environment variables besides those of this process.
  ///   - input: The contents of its standard input, which are cut after ``inputLimit`` bytes.
  ///   - onEnd: Called when the program has ended, on another thread.
  /// - Throws: ``StartError`` if the program is not started.
  public func start(
    _ words: [String], variables: [String: String] = [:], input: [UInt8] = [],
    onEnd: @escaping @Sendable (End) -> Void = { _ in }
  ) throws(StartError) {
    guard let name = words.first, let path = Self.path(of: name) else { throw .notFound(words.first ?? "") }
    let added = variables.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=\(value.replacing("\0", with: ""))"
    }
    let isFirst = try running.withLock { running throws(StartError) in
      guard running.count < limit else { throw .tooMany }
      let process: pid_t
      do throws(Errno) {
        let reader = try Self.reader(of: input)
        defer { try? reader.close() }
        process = try ProgramStart.spawn(
          path, words, input: reader, outputs: .discarded, isForeground: false, variables: added
        ) { _ in true }
      } catch {
        throw .failed(error)
      }
      running.append(
        Running(
          process: process, deadline: MonotonicInstant.now.advanced(byMilliseconds: milliseconds), onEnd: onEnd))
      return running.count == 1
    }
    // A thread watches the programs while there are any.
    guard isFirst else { return }
    let isStarted = (try? WorkerThread(name: "segue-programs") { [self] in watch() }) != nil
    if !isStarted { while !collect() { usleep(1_000) } }
  }

  /// Whether no program is running.
  public var areIdle: Bool { running.withLock { $0.isEmpty } }

  /// Returns the path of a program; `nil` if there is none with this name.
  static func path(of name: String) -> FilePath? {
    if name.contains("/") { return FilePath(typed: name) }
    let directories = Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    return directories.split(separator: ":").lazy.map { FilePath(String($0)).appending(name) }.first { path in
      unsafe path.withPlatformString { unsafe access($0, X_OK) } == 0
    }
  }

  /// Returns the reading end of a pipe that contains `input`. Of input that has no room, which is rare, the end is
  /// lost: nobody reads yet.
  private static func reader(of input: [UInt8]) throws(Errno) -> FileDescriptor {
    let pipe = try FileDescriptor.ownPipe(byteCount: inputLimit)
    defer { try? pipe.writeEnd.close() }
    _ = ProcessSetNonBlocking(pipe.writeEnd.rawValue)
    _ = try? pipe.writeEnd.writeAll(input.prefix(inputLimit))
    return pipe.readEnd
  }

  /// Returns how a program has ended; `nil` if it has not. Where the system discards ended children, it has no status,
  /// and counts as successful.
  private static func end(of process: pid_t) -> End? {
    var status: CInt = 0
    let result = unsafe waitpid(process, &status, WNOHANG)
    if result > 0 { return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F) }
    return result < 0 && kill(process, 0) != 0 ? .exited(0) : nil
  }

  /// Collects programs that have ended, and kills those whose time is over, until none is left.
  private func watch() {
    var pause: UInt32 = 1_000
    while !collect() {
      usleep(pause)
      pause = min(2 * pause, 100_000)
    }
  }

  /// Returns whether no program is left.
  private func collect() -> Bool {
    let (ended, isIdle) = running.withLock { running in
      let now = MonotonicInstant.now
      for program in running where program.deadline <= now { kill(-program.process, SIGKILL) }
      for index in running.indices { running[index].end = Self.end(of: running[index].process) }
      defer { running.removeAll { $0.end != nil } }
      return (running.filter { $0.end != nil }, running.allSatisfy { $0.end != nil })
    }
    for program in ended { if let end = program.end { program.onEnd(end) } }
    return isIdle
  }
}
