// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import LibraryScanning
public import MusicModel
public import PlayerFlow
public import RemoteControl
public import Screens
public import SystemPackage
public import Tagging
import UserSettings

/// The request for a player that a command starts.
public struct PlayerRequest {
  /// The output in the user's words; `nil` for an automatic choice.
  public var output: String?
  /// The duration of the device's buffer; `nil` for the driver's default.
  public var buffer: Duration?
  /// The engine settings: format changes, and the loss of a device.
  public var engine: EngineSettings
  /// The directory of the index.
  public var dataDirectory: FilePath
  /// Whether the player keeps running at the end of playback, and serves clients.
  public var isServing = false
}

/// A player created by the composition root.
public struct MadePlayer {
  /// The controller of the engine.
  public var controller: EnQueueController
  /// The controller of the sleep timer.
  public var sleep: SleepController
  /// The file that is written, if the output is one; "-" for standard output.
  public var file: FilePath?
  /// Starts loading the output.
  public var prepareOutput: () -> Void

  /// Creates a player from its parts.
  public init(
    controller: EnQueueController, sleep: SleepController, file: FilePath?,
    prepareOutput: @escaping () -> Void
  ) {
    self.controller = controller
    self.sleep = sleep
    self.file = file
    self.prepareOutput = prepareOutput
  }
}

/// The request for an MPD server of this process's player.
public struct ServerRequest {
  /// The socket; `nil` for none.
  public var socket: FilePath?
  /// Whether its directory is used for the socket alone.
  public var ownsDirectory: Bool
  /// The network addresses to listen at.
  public var addresses: [ListenAddress]
  /// The permissions of network clients.
  public var access: NetworkAccess
  /// The library that clients browse, with its flow, if it is open.
  public var library: (index: any BrowsableLibrary, flow: LibraryFlow)?
  /// The directory of its saved playlists; `nil` for the default.
  public var playlists: FilePath?
  /// Blocks until all dispatched changes are stored; returns the error as one line if they could not be. Any thread.
  public var keep: @Sendable () -> String?
  /// Executes a command of the command line for a client of the player's owner. Any thread.
  public var obey: @Sendable (ForwardedCommand) -> ForwardedOutcome
  /// Requests the end of the program, and returns before that. Any thread.
  public var quit: @Sendable () -> Void
}

/// The request to show the player of this process on the desktop.
public struct DesktopRequest {
  /// Loads the file or directory at a path. Does not block. Any thread.
  public var load: @Sendable (FilePath, LoadPlace) -> Void
}

/// A player that is shown on the desktop.
public struct ShownPlayer {
  /// Stops showing it; waits for that only briefly.
  public var shutDown: () -> Void

  /// Creates one that `shutDown` ends.
  public init(shutDown: @escaping () -> Void) { self.shutDown = shutDown }
}

/// The request for access to the stored queue.
public struct KeeperRequest {
  /// The use that a command makes of the queue.
  public enum Use {
    /// The command edits it.
    case edit
    /// The command plays it on this output, given in the user's words; `nil` for an automatic choice.
    case play(output: String?)
  }

  /// The state directory.
  public var directory: FilePath
  /// Whether the stored volume is restored.
  public var takesVolume: Bool
  /// The modes of a new queue, if none is stored.
  public var newModes: QueueModes
  /// The use of the queue.
  public var use: Use
}

/// The library that a command works with.
public struct LibraryRequest: Sendable, Hashable {
  /// The music directories.
  public let roots: LibraryRoots
  /// The directory of the index.
  public let dataDirectory: FilePath
  /// Patterns of file names to ignore.
  public var ignoredPatterns: [String] = []
}

extension LibraryRequest {
  /// Creates the request for the library in `roots`, with the settings of `session`.
  init(roots: LibraryRoots, dataDirectory: FilePath, in session: Session) {
    self.init(
      roots: roots, dataDirectory: dataDirectory, ignoredPatterns: session.settings.ignoredPatterns)
  }
}
