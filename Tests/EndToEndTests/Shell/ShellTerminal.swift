import Foundation
import SystemPackage
import TestSupport

/// A shell on a terminal, in which `segue` completes as the program does, and otherwise says what words it was given.
struct ShellTerminal {
  /// The shells that are tried.
  enum Kind: String, CaseIterable {
    case bash, zsh, fish
  }

  private static let prompt = "ready> "
  private let terminal: TerminalSession

  /// Starts a shell of `kind` with the completions that the program prints.
  init(_ kind: Kind, _ playground: Playground) throws {
    let directory = playground.directory
    try directory.write(
      """
      #!/bin/bash
      case ${1-} in ---complete | completions) exec "$SEGUE" "$@" ;; esac
      printf 'READ'
      printf '<%s>' "$@"
      printf '.\\n'

      """.utf8, to: "bin/segue")
    try directory.setPermissions(0o755, of: "bin/segue")
    let path = "\(playground["bin"]):$PATH"
    let start = ["PATH=\"\(path)\"", "PS1='\(Self.prompt)'"]
    switch kind {
    case .bash:
      let lines = start + ["source <(segue completions bash)"]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "bashrc")
      terminal = try TerminalSession(
        playground, ["--rcfile", playground["bashrc"], "-i"], program: "/bin/bash", columns: 200,
        isControlling: true)
    case .zsh:
      let lines = start + ["autoload -Uz compinit", "compinit -D -u", "source <(segue completions zsh)"]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "home/.zshrc")
      terminal = try TerminalSession(
        playground, ["-o", "noglobalrcs", "-i"], program: "/usr/bin/zsh", columns: 200, isControlling: true)
    case .fish:
      let lines = [
        "set -x PATH \(playground["bin"]) $PATH", "function fish_prompt; printf '\(Self.prompt)'; end",
        "segue completions fish | source",
      ]
      try directory.write((lines.joined(separator: "\n") + "\n").utf8, to: "start.fish")
      terminal = try TerminalSession(
        playground, ["--no-config", "-i", "-C", "source \(playground["start.fish"])"],
        program: "/usr/bin/fish",
        columns: 200, isControlling: true)
    }
  }

  /// Waits for the shell to be ready.
  func isReady() -> Bool { terminal.shows(Self.prompt) }

  /// Types `keys` behind the name of the program, and Return; gives the words that the shell has read then.
  func read(_ keys: String) -> String? {
    terminal.forget()
    terminal.type("segue " + keys + "\r")
    guard terminal.shows(">.\r\n", thenPrompt: Self.prompt) else { return nil }
    return terminal.text.components(separatedBy: "READ").last?.components(separatedBy: ".\r\n").first
  }

  /// Ends the shell.
  func end() {
    terminal.type("exit\r")
    _ = terminal.end()
  }
}
