public import AudioCore
public import MusicModel
public import Platform
import SystemPackage

/// What a player does at one moment, for people and for other processes.
public struct PlayerStatus: Sendable, Equatable, Codable {
  /// Whether something plays.
  public enum Phase: String, Sendable, Codable {
    /// Nothing plays.
    case stopped
    /// Sound goes to the output.
    case playing
    /// Playing waits.
    case paused
  }

  /// The track that is current.
  public struct Song: Sendable, Equatable, Codable {
    /// Its title.
    public var title: String
    /// Its artists, as they are shown.
    public var artist: String?
    /// Its album's title.
    public var album: String?
    /// Its file, where the path is text.
    public var path: String?
    /// How long it lasts, in seconds, where that is known.
    public var seconds: Double?
    /// Its artists, one by one; `nil` for a player of an earlier version.
    public var artists: [String]?
    /// Its number on the disc.
    public var track: Int?
    /// The number of its disc.
    public var disc: Int?
    /// Its picture, where that was looked for.
    public var cover: Cover?
  }

  /// The picture of a track. In JSON it is a path, or `false`.
  public enum Cover: Sendable, Equatable, Codable {
    /// This file.
    case file(String)
    /// There is none.
    case missing

    /// The picture in this file; none for `nil`.
    public init(_ file: String?) { self = file.map { .file($0) } ?? .missing }

    /// See `Decodable`.
    public init(from decoder: any Decoder) throws {
      self.init(try? decoder.singleValueContainer().decode(String.self))
    }

    /// See `Encodable`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .file(let path): try container.encode(path)
      case .missing: try container.encode(false)
      }
    }
  }

  /// How the queue is played.
  public struct Modes: Sendable, Equatable, Codable {
    /// What comes behind the end: `off`, `all`, `one` or `album`.
    public var `repeat`: String
    /// In which order: `off`, `tracks` or `albums`.
    public var random: String
    /// Whether playing waits behind every track: `off`, `on` or `once`.
    public var single: String
    /// Whether tracks leave the queue once they were played.
    public var consume: Bool
    /// Where playing stops once: `off`, `current` or `album`.
    public var stopAfter: String
  }

  /// A format of sound.
  public struct Format: Sendable, Equatable, Codable {
    /// Frames a second, in Hz.
    public var sampleRate: Int
    /// Samples in a frame.
    public var channels: Int
    /// Bits a sample; `nil` for lossy codings, which have none.
    public var bits: Int?
    /// Whether samples are floating-point numbers; `nil` where a player of another version does not say.
    public var isFloat: Bool?
  }

  /// Where the sound goes.
  public struct Output: Sendable, Equatable, Codable {
    /// The driver's or the file's name.
    public var name: String
    /// What it takes.
    public var format: Format
    /// How long what it has taken waits to be heard at most, in seconds.
    public var latency: Double
  }

  /// Which process plays; ``noProcess`` where none does, and all of this is what is stored.
  public var process: Int32
  /// The moment, in nanoseconds on the clock that never jumps.
  public var instant: UInt64
  /// Whether something plays.
  public var phase: Phase
  /// The current track.
  public var song: Song?
  /// The current position in the queue, from 0.
  public var queuePosition: Int?
  /// How many items the queue has.
  public var queueCount: Int
  /// How the queue is played.
  public var modes: Modes?
  /// The track that comes next by itself, where one does.
  public var next: Song?
  /// How much of the track has been heard at that moment, in seconds.
  public var elapsed: Double
  /// Whether that goes on by itself.
  public var isHeard: Bool
  /// The format of the file.
  public var source: Format?
  /// Where the sound goes, while it goes anywhere.
  public var output: Output?
  /// Whether the output is enabled: nothing plays while it is not; `nil` for a player of an earlier version.
  public var isOutputEnabled: Bool?
  /// Why what is put out is not bit for bit what the file holds; empty where it is, `nil` where nothing is put out.
  public var deviations: [String]?
  /// How loud it is, in percent.
  public var volume: Int
  /// Which gain of ReplayGain counts.
  public var replayGain: String
  /// How long tracks fade into each other, in seconds.
  public var crossfade: Double
  /// Whether that includes albums that play in order; `nil` for a player of an earlier version.
  public var crossfadeAlbums: Bool?
  /// When the sleep timer ends playing, in seconds from that moment, as far as that is known.
  public var sleep: Double?
  /// What is wrong with the output, if anything is.
  public var problem: String?
  /// How often the device was left without sound.
  public var underruns: Int

  /// No process.
  public static let noProcess: Int32 = 0

  /// What is wrong where something is to be heard, and the output is disabled.
  public static let disabledOutput = "the output is disabled, until an MPD client enables it: mpc enable 1"

  /// What the player of this process does at `now`, where so much of the current track has been heard: as the store
  /// says it, where `elapsed` does not.
  public init(
    _ state: PlaybackState, queue: PlayQueue, elapsed: Duration? = nil, now: MonotonicInstant = .now
  ) {
    process = ProcessIdentity.own
    instant = now.nanoseconds
    phase = Phase(state.phase)
    queuePosition = queue.currentPosition
    queueCount = queue.items.count
    // Of what was not opened yet, only its tags tell.
    song = queue.current.map {
      Song($0.track, duration: state.item == $0.id && !state.isAwaited ? state.duration : nil)
    }
    modes = Modes(queue.modes)
    next = Song(nextIn: queue)
    self.elapsed = (elapsed ?? (state.isAwaited ? state.awaitedPlace : state.position)) / .seconds(1)
    isHeard = state.phase == .playing && state.isHeard
    let isOn = state.phase != .stopped
    source = isOn ? state.format.map { Format($0) } : nil
    output = state.output.map { Output($0) }
    deviations = state.deviations?.map(\.description)
    volume = state.volume.percent
    replayGain = state.replayGain.mode.rawValue
    crossfade = state.crossfade.duration / .seconds(1)
    crossfadeAlbums = state.crossfade.withinAlbums
    isOutputEnabled = state.isOutputEnabled
    sleep = state.timeToSleep(in: queue, at: now).map { $0 / .seconds(1) }
    underruns = state.underrunCount
    if let loss = state.outputLoss ?? state.outputError {
      problem = loss.description
    } else if state.isOutputStalled {
      problem = "the output takes no sound at present"
    } else if state.isInputStalled {
      problem = "the file cannot be read at present: its disk does not answer"
    } else if state.isOutputMissed {
      problem = Self.disabledOutput
    } else {
      problem = state.vainError?.description ?? state.warning
    }
  }
}

extension PlayerStatus.Phase {
  /// The same of a playback state.
  public init(_ phase: PlaybackState.Phase) {
    self =
      switch phase {
      case .stopped: .stopped
      case .playing: .playing
      case .paused: .paused
      }
  }
}

extension PlayerStatus.Song {
  /// `track`, which lasts `duration`, where that is better known than its tags say.
  init(_ track: Track, duration: Duration?) {
    self.init(
      title: track.title, artist: track.artists.isEmpty ? nil : track.artists.joined(separator: ", "),
      album: track.album, path: String(validating: track.path),
      seconds: (duration ?? track.duration).map { $0 / .seconds(1) }, artists: track.artists,
      track: track.number?.number, disc: track.disc?.number)
  }
}

extension PlayerStatus.Output {
  init(_ output: PlaybackState.Output) {
    self.init(
      name: output.name, format: PlayerStatus.Format(output.format), latency: output.latency / .seconds(1))
  }
}

extension PlayerStatus.Modes {
  init(_ modes: QueueModes) {
    self.init(
      repeat: modes.repeat.rawValue, random: modes.random.rawValue, single: modes.single.rawValue,
      consume: modes.consume, stopAfter: modes.stopAfter?.rawValue ?? "off")
  }
}

extension PlayerStatus.Format {
  /// What is to be told of `format`.
  public init(_ format: AudioFormat) {
    self.init(
      sampleRate: format.sampleRate, channels: format.channels, bits: format.coding.bits,
      isFloat: format.coding.isFloat)
  }

  /// What is to be told of the format that an output takes.
  public init(_ format: DeviceFormat) {
    self.init(
      sampleRate: format.sampleRate, channels: format.channels, bits: format.depth.rawValue, isFloat: false)
  }
}

/// What plays of a queue, and what comes next: as much as a view shows.
public struct NowPlaying: Sendable, Equatable {
  /// The most tracks that a view shows of those that come next.
  public static let nextLimit = 5

  /// The track that plays, or would go on playing.
  public var track: Track?
  /// Its position in the queue, from 0.
  public var position: Int?
  /// How many items the queue has.
  public var count: Int
  /// What the queue is called.
  public var title: String
  /// What comes next by itself, in playing order.
  public var next: [Track]
  /// How the queue is played.
  public var modes: PlayerStatus.Modes

  /// A scene of these parts.
  public init(
    track: Track?, position: Int?, count: Int, title: String, next: [Track], modes: PlayerStatus.Modes
  ) {
    self.track = track
    self.position = position
    self.count = count
    self.title = title
    self.next = next
    self.modes = modes
  }

  /// The scene of a queue of which `playing` is heard, with at most so many tracks that come next.
  ///
  /// Finding them takes its time in a long queue.
  public init(_ queue: PlayQueue, playing: PlayQueue.Item.ID?, nextLimit: Int = Self.nextLimit) {
    position = playing.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    let item = position.map { queue.items[$0] }
    track = item?.track
    count = queue.items.count
    title = queue.title
    modes = PlayerStatus.Modes(queue.modes)
    next = []
    var last = item?.id
    var seen: Set<PlayQueue.Item.ID> = []
    while next.count < nextLimit, let follower = last.flatMap({ queue.successor(of: $0) }),
      seen.insert(follower.id).inserted
    {
      next.append(follower.track)
      last = follower.id
    }
  }
}
