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

  /// Puts `/dev/null` in the place of each standard stream that the program was started without: else the next file that is
  /// opened would take that place, and what is meant for the stream.
  ///
  /// Before anything else is opened.
  public static func occupyMissing() {
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest free descriptor is the one that is missing.
      _ = try? unsafe FileDescriptor.open("/dev/null", .readWrite)
    }
  }

  /// Sends what libraries write to standard error nowhere, and gives a descriptor for what the program itself has to say there.
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
}
