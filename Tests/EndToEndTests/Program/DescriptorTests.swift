// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

extension ProgramTests {
  /// The descriptors of a player, and of the programs that it starts.
  @Suite struct Descriptors {
    private let playground: Playground

    init() throws { playground = try Playground() }

    #if os(Linux)
      @Test func `A helper inherits nothing from a player in use, which protects what it opens itself`() throws {
        let outcome = try playground.shell(
          #"""
          mkdir bin run; cp $SEGUE bin/segue; export XDG_RUNTIME_DIR=$PWD/run
          cat > bin/segue-decode <<END
          #!/usr/bin/env python3
          import os, sys
          names = [n for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)]
          open("$PWD/list.new", "w").write(" ".join(sorted(names)))
          os.rename("$PWD/list.new", "$PWD/list")
          END
          chmod +x bin/segue-decode
          bin/segue serve --listen 127.0.0.1:0 --output silent --tap tap >log 2>&1 & server=$!
          await 'bin/segue volume >/dev/null 2>&1'
          bin/segue play ground >/dev/null
          bin/segue watch >events & watch=$!
          await '[ -s events ]'
          # Nobody listens there.
          bin/segue queue next http://127.0.0.1:1/ >/dev/null; bin/segue next >/dev/null
          await '[ -e list ]'; cat list; echo
          for number in $(ls /proc/$server/fd); do
            target=$(readlink /proc/$server/fd/$number)
            flags=$(sed -n 's/^flags:[[:space:]]*//p' /proc/$server/fdinfo/$number)
            # Those of SwiftNIO.
            case $number:$target in
              0:*|1:*|2:*|*:socket:*|*'anon_inode:[eventpoll]'|*:) continue;;
            esac
            [ $((0$flags & 02000000)) = 0 ] && echo "inherited: $number $target"
          done
          kill $watch $server; wait; echo ended
          """#)
        #expect(outcome.lines == ["0 1 2", "ended"], "\(outcome.output) \(outcome.errors)")
      }
    #endif

    @Test func `A new player replaces the socket of one that was killed while a program that it started lives on`()
      throws
    {
      let outcome = try playground.shell(
        #"""
        mkdir state; cat > keeper.py <<'END'
        import os, socket
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("state/socket")
        listener.listen(8)
        if os.fork() == 0:
          open("ready", "w").write(str(os.getpid()))
          while True: os.read(0, 1) or os._exit(0)
        END
        mkfifo end; (python3 keeper.py <end) & keeper=$!; exec 9>end
        await '[ -s ready ] && ! kill -0 '$keeper' 2>/dev/null'
        $SEGUE pause; echo $?
        $SEGUE serve --output silent >log 2>&1 & server=$!
        await '$SEGUE volume 2>/dev/null'
        kill $server; wait $server; cat log; exec 9>&-
        """#)
      let socket = playground["state/socket"]
      #expect(outcome.lines == ["8", "volume 100", "listening on \(socket)"], "\(outcome.output) \(outcome.errors)")
    }
  }
}
