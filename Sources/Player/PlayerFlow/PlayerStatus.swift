// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Equalising
public import MusicModel
public import Platform
import SystemPackage

/// A snapshot of a player's status, for display and for other processes.
public struct PlayerStatus: Sendable, Equatable, Codable {
  public typealias Phase = PlaybackState.Phase

  /// The current track.
  public struct Song: Sendable, Equatable, Codable {
    /// The title of the track.
    public var title: String
    /// The artists as one string for display; `nil` if the track has none.
    public var artist: String?
    /// The title of the album; `nil` if the track has none.
    public var album: String?
    /// The path of the file, or the address of the stream; `nil` if it is not valid UTF-8.
    public var path: String?
    /// The length in seconds; `nil` if it is not known.
    public var seconds: Double?
    /// The artists one by one; `nil` from a player of an earlier version.
    public var artists: [String]?
    /// The number of the track on its disc; `nil` if it has none.
    public var track: Int?
    /// The number of the disc; `nil` if it has none.
    public var disc: Int?
    /// The cover; `nil` if it was not looked up.
    public var cover: Cover?
  }

  /// The cover of a track. In JSON it is a path, or `false` if there is no cover.
  public enum Cover: Sendable, Equatable, Codable {
    case file(String)
    case missing

    /// Creates the cover in `file`; `nil` means that there is no cover.
    public init(_ file: String?) { self = file.map { .file($0) } ?? .missing }

    /// Decodes a path, or `false`.
    public init(from decoder: any Decoder) throws {
      self.init(try? decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes a path, or `false`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .file(let path): try container.encode(path)
      case .missing: try container.encode(false)
      }
    }
  }

  /// The modes of the queue.
  public struct Modes: Sendable, Equatable, Codable {
    /// The repeat mode: `off`, `all`, `one` or `album`.
    public var `repeat`: String
    /// The random mode: `off`, `tracks`, `albums` or `spread`.
    public var random: String
    /// Whether playback pauses after a track: `off`, `on` (after every track) or `once`.
    public var single: String
    /// Whether tracks are removed from the queue once they have been played.
    public var consume: Bool
    /// The point after which playback stops once: `off`, `current` or `album`.
    public var stopAfter: String
    /// The music that is added before the queue ends: `off`, `similar` or a query, after `albums` for whole albums.
    public var keepPlaying = "off"
  }

  /// An audio format.
  public struct Format: Sendable, Equatable, Codable {
    /// The sample rate in Hz.
    public var sampleRate: Int
    /// The number of channels.
    public var channels: Int
    /// The number of bits per sample; `nil` for lossy codecs, which have none.
    public var bits: Int?
    /// Whether samples are floating-point numbers; `nil` from a player of another version that does not report it.
    public var isFloat: Bool?
  }

  /// A passage of the track that is repeated.
  public struct Loop: Sendable, Equatable, Codable {
    /// The beginning, in seconds.
    public var start: Double
    /// The end, in seconds; `nil` until it is set.
    public var end: Double?

    public init(start: Double, end: Double? = nil) { (self.start, self.end) = (start, end) }
  }

  /// An open output.
  public struct Output: Sendable, Equatable, Codable {
    /// The name of the driver or file.
    public var name: String
    /// The format of the samples that the output accepts.
    public var format: Format
    /// The maximum time until a command is audible, in seconds.
    public var latency: Double
  }

  /// The process ID of the player; ``noProcess`` if none is running and this is the stored state.
  public var process: Int32
  /// The instant of the snapshot, in nanoseconds of the monotonic clock.
  public var instant: UInt64
  /// The phase of playback.
  public var phase: Phase
  /// The current track; `nil` if there is none.
  public var song: Song?
  /// The position of the current track in the queue, starting at 0; `nil` if there is none.
  public var queuePosition: Int?
  /// The number of items in the queue.
  public var queueCount: Int
  /// The name of the queue; `nil` for the standard one.
  public var queueName: String?
  /// The modes of the queue; `nil` if they are not known.
  public var modes: Modes?
  /// The track to be played next; `nil` if there is none.
  public var next: Song?
  /// The elapsed time of the current track at ``instant``, in seconds.
  public var elapsed: Double
  /// Whether ``elapsed`` is advancing.
  public var isAdvancing: Bool
  /// The format of the audio in the file; `nil` if nothing is playing.
  public var source: Format?
  /// The library that decodes the file; `nil` if nothing is playing, or from a player of another version.
  public var decoder: String?
  /// The name of the codec; `nil` if it is not known, nothing is playing, or from a player of another version.
  public var codec: String?
  /// The average bit rate, in bits per second; `nil` if it is not known, nothing is playing, or from a player of
  /// another version.
  public var bitRate: Int?
  /// The title of the chapter that is playing; `nil` if the file has no chapters, or from a player of another version.
  public var chapter: String?
  /// The number of that chapter, counted from 1, and that of all; `nil` if the file has no chapters, or from a player
  /// of an earlier version.
  public var chapterNumber: Int?
  public var chapterCount: Int?
  /// The passage that is repeated; `nil` if none is, or from a player of an earlier version.
  public var loop: Loop?
  /// The open output; `nil` if none is open.
  public var output: Output?
  /// Whether the output is enabled; nothing plays while it is disabled. `nil` from a player of an earlier version.
  public var isOutputEnabled: Bool?
  /// The reasons why the output is not bit-perfect: empty if it is, `nil` if there is no output.
  public var deviations: [String]?
  /// The volume in percent.
  public var volume: Int
  /// The speed at which the current track is played, 1 for the normal one; if nothing is playing, the speed at which
  /// files will be. `nil` from a player of an earlier version.
  public var speed: Double?
  /// The ReplayGain mode.
  public var replayGain: String
  /// The name of the equaliser's profile of the output, bypassed or not; `nil` if there is none, or from a player of an
  /// earlier version.
  public var equalizer: String?
  /// The level of crossfeed of the output, bypassed or not; `nil` if there is none, or from a player of an earlier
  /// version.
  public var crossfeed: String?
  /// Whether the equaliser and the crossfeed are bypassed; `nil` if the output has neither.
  public var isEqualizerBypassed: Bool?
  /// The length of the crossfade, in seconds.
  public var crossfade: Double
  /// Whether to crossfade even between consecutive tracks of one album; `nil` from a player of an earlier version.
  public var crossfadeAlbums: Bool?
  /// The length of the crossfade when the user goes to the next track, in seconds; `nil` from a player of an earlier
  /// version.
  public var crossfadeOnNext: Double?
  /// The time from ``instant`` until the sleep timer stops playback, in seconds; `nil` if there is no timer, or the
  /// time is not known.
  public var sleep: Double?
  /// The problem with the output or the file, in words for the user; `nil` if there is none.
  public var problem: String?
  /// The number of underruns so far.
  public var underruns: Int

  /// The value of ``process`` when no player is running.
  public static let noProcess: Int32 = 0

  /// The names in JSON.
  private enum CodingKeys: String, CodingKey {
    case process, instant, phase, song, queuePosition, queueCount, queueName, modes, next, elapsed
    case isAdvancing = "isHeard"
    case source, decoder, codec, bitRate
    case chapter, chapterNumber, chapterCount, loop, output, isOutputEnabled, deviations, volume, speed, replayGain
    case equalizer, crossfeed, isEqualizerBypassed, crossfade
    case crossfadeAlbums, crossfadeOnNext, sleep, problem
    case underruns
  }

  /// The problem to report if something should play but the output is disabled.
  public static let disabledOutput = "the output is disabled: enable it from an MPD client (for example, mpc enable 1)"

  /// Creates the status of the player in this process at `now`. If `elapsed` is `nil`, the elapsed time is that of
  /// `state`.
  public init(
    _ state: PlaybackState, queue: PlayQueue, elapsed: Duration? = nil, now: MonotonicInstant = .now
  ) {
    process = ProcessIdentity.own
    instant = now.nanoseconds
    phase = state.phase
    queuePosition = queue.currentPosition
    queueCount = queue.items.count
    queueName = queue.name == .standard ? nil : queue.name.description
    // For an item that has not been opened yet, only its tags are known.
    song = queue.current.map {
      Song(
        $0.track.described(by: state.sourceText(of: $0)),
        duration: state.openItem == $0.id ? state.duration : nil)
    }
    modes = Modes(queue.modes)
    next = Song(nextIn: queue)
    let known = state.hasRequest ? state.requestedPosition : state.item == queue.current?.id ? state.position : .zero
    self.elapsed = min((elapsed ?? known) / .seconds(1), song?.seconds ?? .infinity)
    isAdvancing = state.phase == .playing && state.isAdvancing
    let isOn = state.phase != .stopped && !state.hasRequest
    source = isOn ? state.format.map { Format($0) } : nil
    decoder = isOn ? state.library?.name : nil
    codec = isOn ? state.codec?.description : nil
    bitRate = isOn ? state.bitRate : nil
    let chapters = state.chapters
    if !chapters.isEmpty {
      let index = chapters.index(at: .seconds(self.elapsed))
      (chapter, chapterNumber) = (index.map { chapters[$0].title }, index.map { $0 + 1 })
      chapterCount = chapters.count
    }
    loop = state.loop.map { Loop(start: $0.start / .seconds(1), end: $0.end.map { $0 / .seconds(1) }) }
    output = state.output.map { Output($0) }
    deviations = state.deviations?.map(\.description)
    volume = state.volume.percent
    speed = (isOn ? state.playedSpeed : state.speed).factor
    replayGain = state.replayGain.mode.rawValue
    equalizer = state.equaliser.chosen?.name
    crossfeed = state.equaliser.chosenCrossfeed?.rawValue
    isEqualizerBypassed = equalizer == nil && crossfeed == nil ? nil : state.equaliser.isBypassed
    crossfade = state.crossfade.duration / .seconds(1)
    crossfadeAlbums = state.crossfade.withinAlbums
    crossfadeOnNext = state.crossfade.onNext / .seconds(1)
    isOutputEnabled = state.isOutputEnabled
    sleep = state.timeToSleep(in: queue, at: now).map { $0 / .seconds(1) }
    underruns = state.underrunCount
    if let loss = state.outputLoss ?? state.outputError {
      problem = loss.description
    } else if state.isOutputStalled {
      problem = "the output is not responding"
    } else if let failure = state.connectionFailure {
      problem = PlaybackNotices.connectsAgain(failure)
    } else if state.isInputStalled {
      problem = PlaybackNotices.inputIsStalled
    } else if state.isOutputNeeded {
      problem = Self.disabledOutput
    } else {
      problem = state.unplayableError?.description ?? state.warning
    }
  }
}

extension PlayerStatus.Song {
  /// Creates the description of `track`. `duration`, the length that the file states, takes precedence over that of the
  /// tags.
  package init(_ track: Track, duration: Duration?) {
    self.init(
      title: track.title, artist: track.artists.isEmpty ? nil : track.artistCredit,
      album: track.album, path: StreamAddress(track.path)?.description ?? String(validating: track.path),
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
  package init(_ modes: QueueModes) {
    self.init(
      repeat: modes.repeat.rawValue, random: modes.random.rawValue, single: modes.single.rawValue,
      consume: modes.consume, stopAfter: modes.stopAfter?.rawValue ?? "off",
      keepPlaying: modes.keepPlaying?.text ?? "off")
  }
}

extension PlayerStatus.Format {
  public init(_ format: AudioFormat) {
    self.init(
      sampleRate: format.isDSD ? Self.bitRate(ofDSD: format.sampleRate) : format.sampleRate,
      channels: format.channels, bits: format.coding.bits, isFloat: format.coding.isFloat)
  }

  public init(_ format: DeviceFormat) {
    self.init(
      sampleRate: format.isDSD ? Self.bitRate(ofDSD: format.sampleRate) : format.sampleRate,
      channels: format.channels, bits: format.isDSD ? 1 : format.depth.rawValue, isFloat: false)
  }

  /// Returns the sample rate of DSD as its users know it: that of its bits.
  private static func bitRate(ofDSD sampleRate: Int) -> Int { sampleRate * DirectStreamDigital.bitsPerSample }
}

extension Track {
  /// Returns the track as its stream describes it now: with the title and the artists of what it plays, and with its
  /// album, or the name of the station instead. Without `text`, returns the track unchanged.
  public func described(by text: SourceText?) -> Track {
    guard let text else { return self }
    var track = self
    if let title = text.title ?? text.station { track.title = title }
    // The artists of a track in a playlist are not those of each title.
    if text.title != nil { track.artists = text.artists }
    if let album = text.album ?? text.station { track.album = album }
    if let station = text.station {
      track.additionalTags = AdditionalTags(track.additionalTags.values + [AdditionalTags.Value(.name, station)])
    }
    return track
  }
}
