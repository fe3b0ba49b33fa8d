#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
