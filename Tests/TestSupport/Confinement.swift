// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

/// The rights that the program `segue-decode` gives up.
public enum Confinement {
  /// Whether this system lets the program give them up. If not, it refuses streams. Unknown, and so taken for granted,
  /// without a C compiler.
  public static let isPossible: Bool = {
    guard let directory = try? TemporaryDirectory(),
      let program = try? compile(
        """
        #include "CProcess.h"
        int main(void) { return ProcessGiveUpRights(512 << 20, ProcessDecodesStream) != ProcessRestricted; }
        """, in: directory)
    else { return true }
    return (try? Tool.run(program, [])) != nil
  }()

  /// Why tests of streams are skipped if it is not possible.
  public static let reason = "this system lacks Landlock or seccomp, and so refuses streams"

  /// Compiles a program in C that gives up its rights as `segue-decode` does, and returns its path.
  public static func compile(_ source: String, in directory: TemporaryDirectory) throws -> String {
    let shim = Fixture.directory.removingLastComponent().appending("Sources/System/CProcess")
    let file = try directory.write(source.utf8, to: "program.c")
    let program = directory["program"].string
    try Tool.run(
      "cc",
      ["-o", program, file.string, "-D_Nonnull=", "-D_Nullable=", "-I", "\(shim)/include", "\(shim)/Restriction.c"])
    return program
  }
}
