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

  /// Whether the program may use the terminal that this is: false in the background of a shell, which uses it itself.
  public var isInForeground: Bool {
    let group = tcgetpgrp(rawValue)
    // A terminal that does not control this process has no background.
    return group == -1 || group == getpgrp()
  }

  /// The size of the terminal in cells, or `nil` where it is none, or does not know.
  public var terminalSize: TerminalSize? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The size of a cell of the terminal in pixels, or `nil` where it is none, or does not know.
  public var terminalCellSize: (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0,
      size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return nil }
    return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
  }

  /// The descriptor.
  public var descriptor: FileDescriptor { FileDescriptor(rawValue: rawValue) }

  /// Writes all of `text`, in one piece where the system takes it so.
  ///
  /// - Throws: `Errno`, `brokenPipe` where nobody reads any more.
  public func write(_ text: String) throws(Errno) {
    do {
      try descriptor.writeAll(text.utf8)
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Puts `/dev/null` in the place of each standard stream that the program was started without: else the next file
  /// that is opened would take that place, and what is meant for the stream.
  ///
  /// Before anything else is opened.
  public static func occupyMissing() {
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free descriptor is the one that is missing.
      _ = try? unsafe FileDescriptor.open("/dev/null", .readWrite)
    }
  }

  /// Sends what libraries write to standard error nowhere, and gives a descriptor for what the program itself has to
  /// say there.
  ///
  /// Audio libraries print there whatever they are told, in the middle of a prompt or a progress bar.
  ///
  /// - Throws: `Errno` where the system has no descriptors left.
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

  /// Runs `body`, and gives what was written to standard error meanwhile, of which it keeps the first 64 KiB or so, in
  /// place of letting it through.
  ///
  /// Standard error belongs to the process: what other threads write to it meanwhile is kept, too, and they wait for
  /// nothing. Where the system has no descriptors left, `body` runs all the same, and nothing is kept. One caller at a
  /// time; a second waits for the first. It costs a dozen system calls.
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

  /// What waits in a pipe that does not block.
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

/// Keys one by one: a terminal whose input is not gathered into lines and not echoed, until this is released.
///
/// Ctrl-C and Ctrl-Z still send their signals. One at a time for a terminal.
@safe
public final class TerminalMode {
  private let descriptor: Int32
  private let original: termios

  /// Takes keys one by one from the terminal on standard input, or gives `nil` where there is none.
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
  /// Cells in a row; at least 1.
  public var columns: Int
  /// Rows; at least 1.
  public var rows: Int

  /// A terminal of this size.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
