// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The player as a service of a service manager, whose part a script takes.
  @Suite struct ServiceTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Opens sockets as systemd does, starts the player with them, and lets `steps` use it. `say(socket, command)`
    /// sends a command of the protocol and returns the first line of the response; `server` is the player's process.
    private func serve(_ steps: String) throws -> (status: Int32, lines: [String]) {
      let script = """
        import os, socket, subprocess, sys
        program = "\(Playground.program.string)"
        local = socket.socket(socket.AF_UNIX)
        local.bind("activated")
        network = socket.socket()
        network.bind(("127.0.0.1", 0))
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notices.bind("notices")
        notices.settimeout(60)
        for listener in local, network:
            listener.listen(8)
        errors = open("errors", "w+")
        status = os.fstat(errors.fileno())
        environment = dict(os.environ, NOTIFY_SOCKET=os.path.realpath("notices"), LISTEN_FDS="2",
                           JOURNAL_STREAM=f"{status.st_dev}:{status.st_ino}")

        def pass_sockets():
            os.dup2(local.fileno(), 13)
            os.dup2(network.fileno(), 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        server = subprocess.Popen(
            ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$0" serve --output silent "$@"', program, *sys.argv[1:]],
            env=environment, preexec_fn=pass_sockets, close_fds=False, stdout=subprocess.PIPE, stderr=errors)

        def say(connection, command):
            stream = connection.makefile("rw")
            stream.readline()
            stream.write(command + "\\n")
            stream.flush()
            return stream.readline().strip()

        def client():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(60)
            connection.connect("activated")
            return connection

        """
      try playground.directory.write((script + steps + "\n").utf8, to: "manager.py")
      let outcome = try playground.shell("python3 manager.py")
      return (outcome.status, outcome.lines)
    }

    @Test func `The sockets that a service manager has opened are used, and stay`() throws {
      let (status, lines) = try serve(
        """
        early = client()
        print(notices.recv(99).decode())
        print(say(early, "status"))
        print(say(socket.create_connection(network.getsockname()), "status"))
        say(client(), "kill")
        print(notices.recv(99).decode())
        print(server.wait(60), os.path.exists("activated"))
        """)
      #expect(status == 0)
      #expect(lines == ["READY=1", "volume: 100", "volume: 100", "STOPPING=1", "0 True"])
    }

    @Test func `quit does not start the player again by its socket`() throws {
      let (status, lines) = try serve(
        """
        notices.recv(99)
        print(subprocess.run([program, "quit", "--socket", "activated"], timeout=60).returncode, server.wait(60))
        local.setblocking(False)
        try:
            print(local.accept())
        except BlockingIOError:
            print("no client")
        """)
      #expect(status == 0)
      #expect(lines == ["0 0", "no client"])
    }

    @Test func `In the journal, each line of standard error has its level`() throws {
      let (status, lines) = try serve(
        """
        notices.recv(99)
        server.terminate()
        server.wait(60)
        subprocess.run([program, "serve", "--listen", "nonsense:x"], env=environment, stderr=errors)
        errors.seek(0)
        print(errors.read(), end="")
        """)
      #expect(status == 0)
      #expect(lines.last?.hasPrefix("<3>segue: invalid address") == true, "\(lines)")
    }
  }
}
