// SPDX-License-Identifier: GPL-3.0-or-later

/// The keys of a player that the user comes from, as far as Segue can do the same.
///
/// Where a preset says nothing, Segue's own keys apply. The sources are the default keys that each project documents:
/// `data/rc` of cmus, `doc/bindings` of ncmpcpp, and `assets/example_config.ron` of rmpc.
package enum KeyPreset: String, CaseIterable, Sendable {
  case segue, cmus, ncmpcpp, rmpc

  /// What the keys that differ from Segue's own do, as in the table `[keys]`; an empty text means nothing.
  var bindings: [String: String] {
    switch self {
    case .segue: [:]
    case .cmus:
      [
        "1": "show-artists", "2": "show-songs", "3": "show-playlists", "4": "show-queue", "5": "show-directories",
        "x": ":resume", "c": "pause", "v": "stop", "b": "next", "z": "previous", "r": "repeat", "s": "random",
        "h": ":seek -5", "l": ":seek +5", "left": ":seek -5", "right": ":seek +5", ",": "seek-back-far",
        ".": "seek-forward-far", "+": ":volume +10", "=": ":volume +10", "-": ":volume -10", "t": "time-left",
        "space": "open", "e": "add", "E": "add-next", "y": "add-to-playlist", "D": "remove", "g": "first",
        "i": "go-to-current", "I": "info", "/": "find", "L": "filter-list", "F": "filter", "u": ":scan",
        "C": "", "o": "", "m": "mark", "V": "mark-range", "<": "left", ">": "right", "S": "sort", "T": "grid",
        "ctrl-e": "down", "ctrl-y": "up", "ctrl-u": "undo", "X": "clear", "Y": "copy",
      ]
    case .ncmpcpp:
      [
        "f1": "help", "1": "show-queue", "2": "show-directories", "3": "show-search", "4": "show-artists",
        "5": "show-playlists", "6": "show-albums", "7": "show-outputs", "8": "show-now-playing", "space": "add",
        "right": "right", "left": "left", "ctrl-h": "back", "f": "seek-forward", "b": "seek-back", "y": "single",
        "Z": ":queue shuffle", "u": ":scan", "ctrl-s": "sort", "ctrl-f": "filter-list", "/": "find",
        ".": "find-next", ",": "find-previous", "I": "go-to-artist", "~": "go-to-artist", "l": "show-lyrics",
        "ctrl-v": "mark-range", "v": "mark", "V": "mark-range", "a": "add-to-playlist", "c": "clear", "m": "move-up",
        "n": "move-down", "o": "go-to-current", "ctrl-u": "undo", "C": "copy", "F": "filter", "x": "mark",
      ]
    case .rmpc:
      [
        "1": "show-queue", "2": "show-directories", "3": "show-artists", "4": "show-artists", "5": "show-albums",
        "6": "show-playlists", "7": "show-search", "8": "show-now-playing", "9": "show-lyrics",
        "space": "mark", "z": "repeat", "x": "random", "c": "consume", "v": "single", "p": "pause",
        "f": "seek-forward", "b": "seek-back", ".": "volume-up", ",": "volume-down", "gt": "next-screen",
        "gT": "previous-screen", "u": ":scan", "U": ":scan --again", "/": "find", "D": "remove",
        "ctrl-r": "rename", "i": "show-search", "oi": "info", "oo": "show-outputs", "oI": "info", "O": "sort",
        "ctrl-x": "help", "r": "rate", "C": "go-to-current", "V": "mark-range", "X": ":queue shuffle",
        "F": "filter-list", "W": "filter", "Z": "undo", "Y": "redo", "y": "copy",
      ]
    }
  }
}
