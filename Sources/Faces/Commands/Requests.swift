// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Flux
public import LibraryScanning
public import MusicModel
public import Platform
public import PlayerFlow
package import PlayerPort
public import RemoteControl
public import Screens
public import SystemPackage

/// A request to create the player that a command starts.
public struct PlayerConfiguration {
  /// The name of the output as the user gave it; `nil` for an automatic choice.
  public var output: String?
  /// The outputs of which the first that is available is used, as the user gave them.
  public var preferredOutputs: [String] = []
  /// The duration of the output device's buffer; `nil` for the default of the driver.
  public var buffer: Duration?
  /// The FIFO that also gets what is audible; `nil` for none.
  public var tap: FilePath?
  /// The engine settings, such as what to do when the format changes or the output device is lost.
  public var engine: EngineSettings
  /// The directory of the index.
  public var dataDirectory: FilePath
  /// Whether a program that cannot give up its rights may decode streams.
  public var allowsUnconfinedStreams: Bool
  /// Whether the player keeps running after playback has ended, to serve clients.
  public var isServing = false
  /// Which tracks resume where they were left; `nil` for none.
  public var resuming: ResumeRule?
  /// How silence is skipped; `nil` if it is not.
  public var skipping: SilenceSkipping?
  /// Returns where such a track was left. May block; called on any thread.
  public var position: @Sendable (Track) -> Duration = { _ in .zero }
}

/// A player that the composition root has created.
public struct CreatedPlayer {
  /// The controller of the engine.
  public var controller: EnQueueController
  /// The controller of the sleep timer.
  public var sleep: SleepController
  /// The subscriptions through which outputs follow the state of the player.
  public var outputSubscriptions: [Subscription]
  /// The output, which can be changed.
  package var output: OutputControl
  /// Starts loading the output.
  public var prepareOutput: () -> Void

  package init(
    controller: EnQueueController, sleep: SleepController, outputSubscriptions: [Subscription], output: OutputControl,
    prepareOutput: @escaping () -> Void
  ) {
    self.controller = controller
    self.sleep = sleep
    self.outputSubscriptions = outputSubscriptions
    self.output = output
    self.prepareOutput = prepareOutput
  }
}

/// A request to start an MPD server for the player of this process.
public struct ServerRequest {
  /// The path of the socket; `nil` for none.
  public var socket: FilePath?
  /// Whether the directory of the socket is used for nothing else.
  public var ownsDirectory: Bool
  /// The network addresses on which to listen.
  public var addresses: [ListenAddress]
  /// The sockets on which the service manager listens already. If one is in the file system, ``socket`` is its path.
  public var inherited: [ServiceManager.Socket]
  /// The permissions of network clients.
  public var access: NetworkAccess
  /// The library that clients browse, and its flow; `nil` if it is not open.
  public var library: (index: any BrowsableLibrary, flow: LibraryFlow)?
  /// The directory of saved playlists; `nil` for the default one.
  public var playlists: FilePath?
  /// Performs the requests of clients.
  package var port: any PlayerPort
}

/// A request for access to the stored queue.
public struct PersisterRequest {
  /// What a command does with the queue.
  public enum Use {
    /// The command edits the queue.
    case edit
    /// The command plays the queue. The output is named as the user gave it; `nil` for an automatic choice.
    case play(output: String?)
  }

  /// The state directory, in which the queue is stored.
  public var directory: FilePath
  /// The directory of the index whose moves of files the queue follows.
  public var dataDirectory: FilePath
  /// Whether the stored volume is restored.
  public var restoresVolume: Bool
  /// The modes of a new queue, used if no queue is stored.
  public var newModes: QueueModes
  /// What the command does with the queue.
  public var use: Use
}
