public import AudioCore
public import QueueFlow
public import SystemPackage

/// What the user wants of the player that a command starts.
public struct PlayerRequest {
  /// Where the sound goes, in the user's words; `nil` for an automatic choice.
  public var output: String?
  /// How much sound the device is asked to hold; `nil` for the driver's default.
  public var buffer: Duration?
  /// How formats and a device that goes are treated.
  public var engine: EngineSettings
  /// Where the index is kept.
  public var dataDirectory: FilePath
  /// Whether the player stays when all is played, and waits for clients.
  public var isServing = false
}

/// A player that the composition root has made.
public struct MadePlayer {
  /// What drives the engine.
  public var controller: EnQueueController
  /// What ends playing when the sleep timer says so.
  public var sleep: SleepController
  /// The file that the sound goes to, if it goes to one: "-" for standard output.
  public var file: FilePath?
  /// Begins to load what the output needs.
  public var prepareOutput: () -> Void

  /// A player of these parts.
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
