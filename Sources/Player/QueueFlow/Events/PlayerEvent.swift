/// Something that happened to a player, for people and for other processes.
public struct PlayerEvent: Sendable, Equatable, Codable {
  /// What it is about, by the word that scripts know it by.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// All of the state, as it is now: what a listener is told first.
    case status
    /// A track began.
    case track
    /// Playing began, paused or stopped.
    case state
    /// Playing went on from another place of the track.
    case seek
    /// The queue was edited.
    case queue
    /// The volume was changed.
    case volume
    /// A mode of the queue was changed.
    case modes
    /// The library is being read, or was.
    case scan
    /// Something is wrong that the user should know.
    case problem
    /// How tracks fade into each other was changed.
    case crossfade
    /// Which gain of ReplayGain counts was changed.
    case replayGain = "replaygain"
    /// A saved list was made, changed or removed.
    case playlists
    /// The sound goes elsewhere, or nowhere, or it may or may not go there.
    case outputs
    /// The listener was too slow: events are missing here.
    case missed
    /// No player runs: the listener waits for one.
    case waiting
  }

  /// How the reading of a library goes.
  public struct Scan: Sendable, Equatable, Codable {
    /// `running`, `ended`, `cancelled` or `failed`.
    public var phase: String
    /// How many files were seen.
    public var seen: Int?
    /// How many there will be, where that is known.
    public var total: Int?
    /// How many tracks were added.
    public var added: Int?
    /// How many were changed.
    public var changed: Int?
    /// How many were moved.
    public var moved: Int?
    /// How many are gone.
    public var gone: Int?
    /// How many files cannot be in the library.
    public var problems: Int?
    /// How many files and directories are left out.
    public var leftOut: Int?
  }

  /// What it is about.
  public var event: Kind
  /// All of the state, with ``Kind/status``.
  public var status: PlayerStatus?
  /// The track, with ``Kind/track``.
  public var song: PlayerStatus.Song?
  /// The track that comes next by itself, with ``Kind/track``, ``Kind/queue`` and ``Kind/modes``, where one does.
  public var next: PlayerStatus.Song?
  /// The track's position in the queue, from 0.
  public var queuePosition: Int?
  /// How many items the queue has.
  public var queueCount: Int?
  /// The name of the edit, with ``Kind/queue``, where there was one.
  public var edit: String?
  /// Whether something plays, with ``Kind/state``.
  public var phase: PlayerStatus.Phase?
  /// The elapsed time of the track, in seconds, with ``Kind/seek`` and ``Kind/state``.
  public var elapsed: Double?
  /// How loud it is, in percent.
  public var volume: Int?
  /// How long tracks fade into each other, in seconds.
  public var crossfade: Double?
  /// Whether they do so on albums that play in order, too.
  public var crossfadeAlbums: Bool?
  /// Which gain of ReplayGain counts.
  public var replayGain: String?
  /// Where the sound goes, with ``Kind/outputs``, while it goes anywhere.
  public var output: PlayerStatus.Output?
  /// Whether it may go there.
  public var isOutputEnabled: Bool?
  /// How the queue is played.
  public var modes: PlayerStatus.Modes?
  /// How the reading goes.
  public var scan: Scan?
  /// What is wrong, with ``Kind/problem``: one line, not yet safe for a terminal.
  public var problem: String?
  /// How many events are missing, with ``Kind/missed``.
  public var count: Int?

  /// An event of this kind, with nothing else said.
  public init(_ event: Kind) { self.event = event }
}
