// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error.
public enum StandardStream: Int32, Sendable {
  /// Standard input.
  case input = 0
  /// Standard output.
  case output = 1
  /// Standard error.
  case error = 2

  /// Whether it is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether the program may use this terminal: `false` in the background of a shell, which uses it itself.
  public var isInForeground: Bool {
    let group = tcgetpgrp(rawValue)
    // A terminal that does not control this process has no background.
    return group == -1 || group == getpgrp()
  }

  /// The size of the terminal in cells, or `nil` if it is not a terminal or does not know.
  public var terminalSize: TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The size of a cell of the terminal in pixels, or `nil` if it is not a terminal or does not know.
  public var terminalCellSize: (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
      size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return nil }
    return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
  }

  /// The descriptor.
  public var descriptor: FileDescriptor { FileDescriptor(rawValue: rawValue) }

  /// Writes all of `text`, in one call if the system accepts it.
  ///
  /// - Throws: `Errno`, `brokenPipe` if the reader has closed the stream.
  public func write(_ text: String) throws(Errno) {
    do {
      try descriptor.writeAll(text.utf8)
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Opens `/dev/null` for each standard stream that the program was started without: otherwise the next file to be
  /// opened would get its descriptor, and the output meant for the stream.
  ///
  /// Call before anything else is opened.
  public static func occupyMissing() {
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free descriptor is the missing one.
      _ = try? unsafe FileDescriptor.open("/dev/null", .readWrite)
    }
  }

  /// Discards what libraries write to standard error, and returns a descriptor for the program's own messages.
  ///
  /// Audio libraries write there whatever their settings, in the middle of a prompt or a progress bar.
  ///
  /// - Throws: `Errno` if the system has no descriptors left.
  public static func divertLibraryErrors() throws(Errno) -> FileDescriptor {
    do {
      let own = try FileDescriptor.standardError.duplicate()
      let nowhere = try unsafe FileDescriptor.open("/dev/null", .writeOnly)
      _ = try nowhere.duplicate(as: .standardError)
      try nowhere.close()
      return own
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Runs `body` while capturing standard error, and returns its first 64 KiB or so instead of passing them on.
  ///
  /// Standard error belongs to the process: what other threads write meanwhile is captured, too, without blocking them.
  /// If the system has no descriptors left, `body` runs all the same, and nothing is captured. One caller at a time; a
  /// second waits for the first. It costs a dozen system calls.
  public static func capturingErrors<Result>(_ body: () -> Result) -> (result: Result, text: String) {
    capture.withLock { _ in
      guard let own = try? FileDescriptor.standardError.duplicate() else { return (body(), "") }
      defer { try? own.close() }
      guard let pipe = try? FileDescriptor.pipe() else { return (body(), "") }
      defer { try? pipe.readEnd.close() }
      for end in [pipe.readEnd, pipe.writeEnd] {
        _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
      }
      let isDiverted = (try? pipe.writeEnd.duplicate(as: .standardError)) != nil
      try? pipe.writeEnd.close()
      let result = body()
      if isDiverted { _ = try? own.duplicate(as: .standardError) }
      return (result, read(pipe.readEnd))
    }
  }

  private static let capture = Mutex(())

  /// Returns the contents of a pipe that does not block.
  private static func read(_ descriptor: FileDescriptor) -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while let count = unsafe try? part.withUnsafeMutableBytes({ try unsafe descriptor.read(into: $0) }),
      count > 0
    {
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A terminal mode that delivers keys one by one: input is neither gathered into lines nor echoed, until this is
/// released.
///
/// Ctrl-C and Ctrl-Z still send their signals. Only one at a time for a terminal.
@safe
public final class TerminalMode {
  private let descriptor: Int32
  private let original: termios

  /// Sets the mode on the terminal on standard input; `nil` if there is none.
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

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
