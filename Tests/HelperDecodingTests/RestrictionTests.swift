// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// The rights of the program that decodes streams.
  @Suite(
    .enabled(
      if: Tool.exists("cc") && FileManager.default.fileExists(atPath: "/usr/include/linux/seccomp.h"),
      "there is no C compiler, or no Linux"))
  struct RestrictionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Compiles a program, and returns its path.
    private func compile(_ source: String, _ options: [String]) throws -> String {
      let file = try directory.write(source.utf8, to: "program.c")
      try Tool.run("cc", ["-o", directory["program"].string, file.string] + options)
      return directory["program"].string
    }

    @Test func `It may read the certificates of the system, and nothing else where private keys may be`() throws {
      let sources = Fixture.directory.removingLastComponent().appending("Sources/System/CProcess")
      let program = try compile(
        """
        #include "CProcess.h"
        #include <fcntl.h>
        #include <stdio.h>
        int main(int count, char **names) {
          printf("%d\\n", ProcessGiveUpRights(512 << 20, ProcessDecodesStream));
          for (int i = 1; i < count; i++) if (open(names[i], O_RDONLY) >= 0) printf("%s\\n", names[i]);
          return 0;
        }
        """,
        ["-D_Nonnull=", "-D_Nullable=", "-I", "\(sources)/include", "\(sources)/Restriction.c"])
      let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
      ].filter { FileManager.default.fileExists(atPath: $0) }
      let files = ["/etc/ssl", "/etc/pki"].flatMap { root in
        (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).map { "\(root)/\($0)" }
      }.filter { FileStatus.isFile(at: FilePath($0)) == true }
      let opened = String(
        decoding: try Tool.run(program, files + ["/etc/passwd", "/etc/shadow", "/etc/hosts"]), as: UTF8.self
      )
      .split(separator: "\n").map(String.init)
      // If this system has neither seccomp nor Landlock, there is nothing to test.
      guard opened.first == "0" else { return }
      let isBundle = { (name: String) in
        bundles.contains { (try? FilePath($0).realPath()) == (try? FilePath(name).realPath()) }
      }
      #expect(Set(opened.dropFirst()) == Set(files.filter(isBundle) + ["/etc/hosts"]))
    }
  }
}
