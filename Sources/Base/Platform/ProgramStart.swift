// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import CStandard
import SystemPackage

/// Starts other programs.
///
/// They inherit no descriptors but their standard streams, whichever descriptors libraries have opened in this process:
/// one that kept a socket open, on which this process listens, would make it appear to be alive after its end.
enum ProgramStart {
  /// The streams of a new program besides its standard input.
  enum Outputs {
    /// Everything that the program writes is discarded.
    case discarded
    /// The program writes to the standard output of this process, its errors, too.
    case inherited
    /// The program writes to this pipe; its errors are discarded.
    case pipe(FileDescriptor)
  }

  /// Starts the program at `path`, with `arguments` including its name, and returns its process.
  ///
  /// This process ignores SIGPIPE, and blocks the signals that it watches; the program inherits neither.
  ///
  /// - Parameters:
  ///   - input: The standard input of the program.
  ///   - isForeground: Whether the program gets the signals that the terminal sends to this process.
  ///   - variables: More environment variables, as `NAME=VALUE`. They replace those of this process.
  ///   - inherits: Returns whether the program gets this environment variable, given as `NAME=VALUE`.
  /// - Throws: `Errno` if the program cannot be started.
  static func spawn(
    _ path: FilePath, _ arguments: [String], input: FileDescriptor, outputs: Outputs, isForeground: Bool,
    variables added: [String] = [], inherits: (_ variable: String) -> Bool
  ) throws(Errno) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
    switch outputs {
    case .discarded:
      for stream: CInt in [1, 2] { unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0) }
    case .inherited:
      for stream: CInt in [1, 2] { unsafe posix_spawn_file_actions_adddup2(&actions, 1, stream) }
    case .pipe(let writeEnd):
      unsafe posix_spawn_file_actions_adddup2(&actions, writeEnd.rawValue, 1)
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var flags = CInt(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    if !isForeground { flags |= CInt(POSIX_SPAWN_SETPGROUP) }
    #if canImport(Darwin)
      flags |= CInt(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      unsafe ProcessCloseFromAtStart(&actions, 3)
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var process = pid_t()
    let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    let own = unsafe added.map { unsafe strdup($0) }
    defer { unsafe own.forEach { unsafe free($0) } }
    let names = added.map { $0.prefix { $0 != "=" } + "=" }
    let inherited = unsafe variables { variable in
      inherits(variable) && !names.contains { variable.hasPrefix($0) }
    }
    let code = unsafe path.withPlatformString {
      unsafe posix_spawn(&process, $0, &actions, &attributes, words, own + inherited)
    }
    if code != 0 { throw Errno(rawValue: code) }
    return process
  }

  /// The environment variables for which `inherits` returns `true`, with a null pointer at the end.
  private static func variables(where inherits: (String) -> Bool) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      if unsafe inherits(String(cString: variable)) { unsafe variables.append(variable) }
      unsafe next += 1
    }
    return unsafe variables + [nil]
  }
}
