// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Synchronization
public import SystemPackage

/// A standard stream of the process: input, output or error.
public enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether the program may use the stream's terminal; `false` for a background job of a shell that is using the
  /// terminal itself.
  public var isInForeground: Bool {
    let group = tcgetpgrp(rawValue)
    // A terminal that does not control this process has no background.
    return group == -1 || group == getpgrp()
  }

  /// The size of the stream's terminal in cells; `nil` if the stream is not a terminal, or the terminal does not report
  /// its size.
  public var terminalSize: TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The size of a cell of the stream's terminal in pixels; `nil` if the stream is not a terminal, or the terminal does
  /// not report it.
  public var terminalCellSize: (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
      size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return nil }
    return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
  }

  public var descriptor: FileDescriptor { FileDescriptor(rawValue: rawValue) }

  /// Writes all of `text`, in one call if the system accepts it.
  ///
  /// - Throws: `Errno`, `brokenPipe` if the reader has closed the stream.
  public func write(_ text: String) throws(Errno) {
    try asErrno { try descriptor.writeAll(text.utf8) }
  }

  /// Opens `/dev/null` for each standard stream that was closed when the program started. Otherwise the next file to be
  /// opened would get its descriptor, and with it the output meant for the stream.
  ///
  /// Call it before anything else is opened.
  public static func occupyMissing() {
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free descriptor is the missing one.
      _ = try? unsafe FileDescriptor.open("/dev/null", .readWrite)
    }
  }

  /// Discards everything that libraries write to standard error, and returns a descriptor for the program's own
  /// messages.
  ///
  /// Audio libraries write there regardless of their settings, even in the middle of a prompt or a progress bar.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
  public static func divertLibraryErrors() throws(Errno) -> FileDescriptor {
    try asErrno {
      let original = try FileDescriptor.standardError.ownDuplicate()
      let nullDevice = try unsafe FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)
      _ = try nullDevice.duplicate(as: .standardError)
      try nullDevice.close()
      return original
    }
  }

  /// Runs `body` while capturing standard error; returns its result, and about the first 64 KiB of the captured text.
  ///
  /// Captured text is not printed. Standard error belongs to the whole process, so anything that other threads write
  /// meanwhile is captured, too, without blocking them. If the system has no descriptors left, `body` runs anyway, and
  /// nothing is captured. Only one call runs at a time; a second waits for the first. A call costs about a dozen system
  /// calls.
  public static func capturingErrors<Result>(_ body: () -> Result) -> (result: Result, text: String) {
    capture.withLock { _ in
      guard let original = try? FileDescriptor.standardError.ownDuplicate() else { return (body(), "") }
      defer { try? original.close() }
      guard let pipe = try? FileDescriptor.ownPipe() else { return (body(), "") }
      defer { try? pipe.readEnd.close() }
      for end in [pipe.readEnd, pipe.writeEnd] {
        _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
      }
      let isDiverted = (try? pipe.writeEnd.duplicate(as: .standardError)) != nil
      try? pipe.writeEnd.close()
      let result = body()
      if isDiverted { _ = try? original.duplicate(as: .standardError) }
      return (result, read(pipe.readEnd))
    }
  }

  private static let capture = Mutex(())

  /// Reads and returns the contents of a non-blocking pipe.
  private static func read(_ descriptor: FileDescriptor) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while let count = unsafe try? chunk.withUnsafeMutableBytes({ try unsafe descriptor.read(into: $0) }),
      count > 0
    {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A terminal mode in which input is delivered key by key, without line editing and without echo, until this object is
/// released.
///
/// Ctrl-C and Ctrl-Z still send their signals. Only one such object may exist for a terminal at a time.
@safe
public final class TerminalMode {
  private let descriptor: Int32
  private let original: termios

  /// Sets the mode on the terminal of standard input; returns `nil` if standard input is not a terminal.
  public init?() {
    descriptor = STDIN_FILENO
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  deinit {
    var settings = original
    unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
  }
}

/// The size of a terminal in cells.
public struct TerminalSize: Sendable, Hashable {
  /// The number of cells in a row; at least 1.
  public var columns: Int
  /// The number of rows; at least 1.
  public var rows: Int

  /// Creates a size; a number below 1 becomes 1.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
