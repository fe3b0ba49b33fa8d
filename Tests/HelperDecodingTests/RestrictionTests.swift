// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import HelperDecoding
import Platform
import Synchronization
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

    @Test(.enabled(if: Confinement.isPossible, Comment(rawValue: Confinement.reason)))
    func `It may read the certificates of the system, and nothing else where private keys may be`() throws {
      let program = try Confinement.compile(
        """
        #include "CProcess.h"
        #include <fcntl.h>
        #include <stdio.h>
        int main(int count, char **names) {
          if (ProcessGiveUpRights(512 << 20, ProcessDecodesStream) != ProcessRestricted) return 1;
          for (int i = 1; i < count; i++) if (open(names[i], O_RDONLY) >= 0) printf("%s\\n", names[i]);
          return 0;
        }
        """, in: directory)
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
      let isBundle = { (name: String) in
        bundles.contains { (try? FilePath($0).realPath()) == (try? FilePath(name).realPath()) }
      }
      #expect(Set(opened) == Set(files.filter(isBundle) + ["/etc/hosts"]))
    }

    @Test func `It has so few descriptors that all of its connections are looked at`() throws {
      let program = try Confinement.compile(
        """
        #include "CProcess.h"
        #include <fcntl.h>
        #include <stdio.h>
        int main(void) {
          ProcessGiveUpRights(512 << 20, ProcessDecodesStream);
          int last = -1;
          for (int next; last < 1000 && (next = open("/etc/hosts", O_RDONLY)) >= 0;) last = next;
          printf("%d", last - ProcessStreamDescriptorLimit);
          return 0;
        }
        """, in: directory)
      #expect(String(decoding: try Tool.run(program, []), as: UTF8.self) == "-1")
    }

    @Test(arguments: ["SYS_landlock_create_ruleset", "SYS_seccomp"])
    func `On a system without Landlock or seccomp, it connects to no server unless that is allowed`(call: String) throws
    {
      let decode = try #require(ProgramFile.neighbour("segue-decode"))
      // The system call fails as on a system that does not have it.
      let program = try compile(
        """
        #include <errno.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>
        #include <stddef.h>
        #include <sys/prctl.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        #ifndef SYS_landlock_create_ruleset
        #define SYS_landlock_create_ruleset 444
        #endif
        int main(void) {
          struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
          };
          struct sock_fprog program = {4, filter};
          prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
          // A system that refuses this refuses segue-decode's filter, too.
          prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
          execl(PROGRAM, PROGRAM, (char *)0);
          return 1;
        }
        """, ["-DCALL=\(call)", "-DPROGRAM=\"\(decode)\""])
      let sound = WaveFile.bytes([Int32](repeating: 7, count: 20_000), rate: 44_100, channels: 2, depth: .bits16)
      let requestCount = Atomic(0)
      let server = try StreamServer { request, connection in
        requestCount.add(1, ordering: .relaxed)
        connection.send(file: sound, for: request)
      }
      let address = try #require(StreamAddress(server.address("/a")))
      let reportCount = Atomic(0)
      let helpers = DecodingHelpers(
        program: FilePath(program), didRunUnconfined: { reportCount.add(1, ordering: .relaxed) })
      let error = #expect(throws: DecodingError.self) { _ = try helpers.open(address) }
      #expect(error?.reason.contains("`unconfined-streams = true`") == true, "\(error?.reason ?? "")")
      #expect(requestCount.load(ordering: .relaxed) == 0 && reportCount.load(ordering: .relaxed) == 0)
      helpers.allowUnconfinedStreams(true)
      #expect(try helpers.open(address).format.channels == 2)
      #expect(requestCount.load(ordering: .relaxed) > 0 && reportCount.load(ordering: .relaxed) == 1)
    }
  }
}
