// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import SystemPackage

/// What is known of the system on which the program runs, for a report about problems.
public enum SystemReport {
  /// The operating system's name and version, such as "Debian GNU/Linux 12 (bookworm)"; `nil` if it is unknown.
  public static var distribution: String? {
    guard let bytes = try? AtomicFile.read("/etc/os-release", limit: 1 << 16) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return line?.dropFirst(12).split(separator: "\"").first.map(String.init)
  }

  /// The kernel's name and version, and the type of the machine, such as "Linux 6.1.0 x86_64"; `nil` if it is
  /// unknown.
  public static var kernel: String? {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return nil }
    return [text(of: names.sysname), text(of: names.release), text(of: names.machine)].joined(separator: " ")
  }

  private static func text<Field>(of field: Field) -> String {
    unsafe withUnsafeBytes(of: field) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// How many directories the user's programs may watch for changes (inotify(7)); `nil` if there is no such limit.
  public static var watchLimit: Int? { number(in: "/proc/sys/fs/inotify/max_user_watches") }

  private static func number(in path: FilePath) -> Int? {
    guard let bytes = try? AtomicFile.read(path, limit: 64) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int($0) }
  }
}
