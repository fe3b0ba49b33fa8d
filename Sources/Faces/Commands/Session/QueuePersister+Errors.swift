// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import UserSettings

extension QueuePersister {
  /// Throws an error unless this process owns the queue in `directory`.
  func checkOwnership(of directory: FilePath) throws(PlayerError) {
    if ownership != .own { throw refusal(directory) }
  }

  /// Returns the error for a queue in `directory` that this process does not own.
  func refusal(_ directory: FilePath) -> PlayerError {
    switch ownership {
    case .own, .other(nil):
      PlayerError(
        .failure, "another process is using the queue in \(directory.shown): end it first (a player with `segue quit`)")
    case .other(let process?):
      PlayerError(
        .failure,
        "another process (\(process)) is using the queue in \(directory.shown): end it first (a player with `segue quit`)"
      )
    case .none(.noSpace), .none(.diskQuotaExceeded):
      PlayerError(
        .failure, "cannot save the queue in \(directory.shown): the disk is full; free some space")
    case .none(let error):
      PlayerError(
        .failure,
        "cannot save the queue in \(directory.shown): \(error); choose another directory with --state-dir"
      )
    }
  }

  /// Returns the warning for a new player whose queue will not be stored; `nil` if it will be.
  func warning(_ directory: FilePath) -> String? {
    switch ownership {
    case .own: nil
    case .other(let process):
      "another player\(process.map { " (process \($0))" } ?? "") is using the queue: what plays here is not saved"
    case .none(let error): "cannot save the queue in \(directory.shown): \(error)"
    }
  }
}
