// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// The `completions` command: prints the completion script for a shell.
struct CompletionsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print shell completions for bash, zsh or fish.",
    discussion: """
      The shell loads the script once. The script then calls segue, which completes commands, options, and the albums, artists, tracks and \
      playlists in the index.

      Examples:
        completions bash > ~/.local/share/bash-completion/completions/segue
        completions zsh > ~/.zfunc/_segue
        completions fish > ~/.config/fish/completions/segue.fish
      """)

  @Argument(help: "Shell: bash, zsh or fish.")
  var shell: CompletedShell

  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws { session.printLine(shell.script) }
}

/// A shell for which a completion script exists.
enum CompletedShell: String, CaseIterable, ExpressibleByArgument {
  case bash, zsh, fish

  /// The completion script, which the shell loads once. It calls the program, which answers with ``ShellCompletion``.
  ///
  /// The scripts of the argument parser are not used. Its bash script passes candidates to `compgen -W`, which would
  /// execute an album named `$(...)`; it also drops candidates that do not match the typed prefix byte for byte, and
  /// splits words at colons. Its fish script calls about a hundred functions per key.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # Completes the command line of segue in bash.
    _segue() {
        local line kind=
        COMPREPLY=()
        while IFS= read -r line; do
            if [[ -z "$kind" ]]; then
                kind=$line
            else
                COMPREPLY+=("$line")
            fi
        done < <("${1/#\~\//$HOME/}" ---complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
        case $kind in
            open) compopt -o nospace ;;
            files) compopt -o bashdefault -o default ;;
            directories) compopt -o dirnames ;;
        esac
    }
    complete -o nosort -F _segue segue 2>/dev/null || complete -F _segue segue
    """#

  private static let zshScript = #"""
    #compdef segue
    # Completes the command line of segue in zsh.
    _segue() {
        local -a lines names shown
        local -a suffix
        local line
        lines=("${(@f)$("${${(Q)words[1]}/#\~\//$HOME/}" ---complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
        case $lines[1] in
            open) suffix=(-S '') ;;
            files) _files; return ;;
            directories) _files -/; return ;;
        esac
        for line in "${(@)lines[2,-1]}"; do
            names+=("${line%%$'\t'*}")
            [[ "$line" == *$'\t'* ]] && line="${line%%$'\t'*}  -- ${line#*$'\t'}"
            shown+=("$line")
        done
        (( $#names )) || return 1
        if [[ "${(j::)lines[2,-1]}" == *$'\t'* ]]; then
            compadd -U -l -V segue "${(@)suffix}" -d shown -- "${(@)names}"
        else
            compadd -U -V segue "${(@)suffix}" -- "${(@)names}"
        fi
    }
    if [[ "${funcstack[1]}" == _segue ]]; then
        _segue "$@"
    else
        compdef _segue segue
    fi
    """#

  private static let fishScript = #"""
    # Completes the command line of segue in fish.
    function __segue_complete
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        set -l lines (command $words[1] ---complete fish $words[2..-1] "$token" 2>/dev/null)
        switch "$lines[1]"
            case files
                complete -C "__segue_path $token"
            case directories
                __fish_complete_directories $token ''
            case '*'
                printf '%s\n' $lines[2..-1]
        end
    end
    complete -c segue -f -k -a '(__segue_complete)'
    """#
}
