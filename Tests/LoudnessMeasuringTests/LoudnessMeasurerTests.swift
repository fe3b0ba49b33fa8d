// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import LoudnessMeasuring
import MusicModel
import Synchronization
import SystemPackage
import Testing

@Suite struct LoudnessMeasurerTests {
  typealias Part = SineDecoder.Part

  private func measure(
    _ parts: [Part], rate: Int = 8_000, frequency: Int = 1_000, phase: Double = 0,
    statesLength: Bool = true
  ) throws -> MeasuredTrack {
    let measurer = LoudnessMeasurer { _ throws(DecodingError) in
      do {
        return try SineDecoder(
          parts, rate: rate, frequency: frequency, phase: phase, statesLength: statesLength)
      } catch { throw DecodingError(path: "sine", kind: .unsupported, reason: "\(error)") }
    }
    return try measurer.measure("sine", silenceBelow: -60)
  }

  private static func stereo(_ levels: (Double, Double?)...) -> [Part] {
    levels.map { Part(seconds: $0.0, levels: [$0.1, $0.1]) }
  }

  @Test(
    "Test signals of EBU Tech 3341 read as they should",
    arguments: [
      ("case 1", stereo((20, -23)), -23), ("case 2", stereo((20, -33)), -33),
      ("case 3, relative gate", stereo((10, -36), (60, -23), (10, -36)), -23),
      ("case 4, both gates", stereo((10, -72), (10, -36), (60, -23), (10, -36), (10, -72)), -23),
      ("case 5", stereo((20, -26), (20.1, -20), (20, -26)), -23),
      ("case 6, five channels", [Part(seconds: 20, levels: [-28, -28, -24, -30, -30])], -23),
      (
        "case 6 with a channel for low frequencies",
        [Part(seconds: 20, levels: [-28, -28, -24, 0, -30, -30])], -23
      ),
      ("one channel counts as two", [Part(seconds: 20, levels: [-23])], -23),
      ("seven channels", [Part(seconds: 20, levels: [-28, -28, -24, 0, nil, -30, -30])], -23),
      ("eight channels", [Part(seconds: 20, levels: [-28, -28, -24, 0, nil, nil, -30, -30])], -23),
    ] as [(String, [Part], Double)])
  func technicalDocument3341(name: String, parts: [Part], expected: Double) throws {
    let loudness = try measure(parts).loudness
    let integrated = try #require(loudness.integrated)
    #expect(abs(integrated - expected) <= 0.1, "\(integrated) LUFS")
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000])
  func `the sample rate makes no difference`(rate: Int) throws {
    let integrated = try #require(measure(Self.stereo((2, -23)), rate: rate).loudness.integrated)
    #expect(abs(integrated + 23) <= 0.1, "\(integrated) LUFS")
  }

  @Test(
    "Test signals of EBU Tech 3342 have the range that they should",
    arguments: [
      (stereo((20, -20), (20, -30)), 10), (stereo((20, -20), (20, -15)), 5),
      (stereo((20, -40), (20, -20)), 20), (stereo((20, -50), (20, -35), (20, -20), (20, -35), (20, -50)), 15),
    ] as [([Part], Double)])
  func technicalDocument3342(parts: [Part], expected: Double) throws {
    let range = try #require(measure(parts).loudness.range)
    #expect(abs(range - expected) <= 1, "\(range) LU")
  }

  @Test func `a peak between the samples is found`() throws {
    // EBU Tech 3341, case 16: a quarter of the rate, 45 degrees off.
    let loudness = try measure(
      Self.stereo((2, -6)), rate: 48_000, frequency: 12_000, phase: .pi / 4
    ).loudness
    let level = 20 * log10(loudness.truePeak)
    #expect(level <= -5.8 && level >= -6.4, "\(level) dBTP")
  }

  @Test(
    arguments: [
      stereo((5, nil)), stereo((0.399, -23)), stereo((0.1, nil)), stereo((5, -80)), [],
    ] as [[Part]])
  func `audio that is too soft or too short has no loudness`(parts: [Part]) throws {
    let track = try measure(parts)
    #expect(track.loudness.integrated == nil)
    #expect(track.loudness.range == nil)
    #expect(try AlbumLoudness(of: [track]).integrated == nil)
  }

  @Test func `less than 3 seconds have a loudness and no range`() throws {
    let loudness = try measure(Self.stereo((0.5, -23))).loudness
    #expect(loudness.integrated != nil && loudness.range == nil)
  }

  @Test func `an album is as loud as all of its tracks in one piece`() throws {
    let first = Self.stereo((10, -30), (7, -20))
    let second = Self.stereo((30, -23), (5, nil), (10, -41))
    let silence = Self.stereo((3, nil))
    let whole = try measure(first + silence + second).loudness
    let tracks = try [first, silence, second].map { try measure($0) }
    let album = try AlbumLoudness(of: tracks)
    #expect(abs(try #require(album.integrated) - (try #require(whole.integrated))) < 0.1)
    #expect(abs(album.truePeak - whole.truePeak) < 0.001)
  }

  @Test func `tracks of different formats form an album`() throws {
    let tracks = try [
      measure(Self.stereo((10, -23)), rate: 44_100),
      measure([Part(seconds: 10, levels: [-23])], rate: 16_000),
      measure([Part(seconds: 20, levels: [-28, -28, -24, 0, -30, -30])], rate: 48_000, statesLength: false),
    ]
    #expect(abs(try #require(AlbumLoudness(of: tracks).integrated) + 23) <= 0.1)
  }

  @Test func `an album without tracks has no loudness`() throws {
    #expect(try AlbumLoudness(of: []) == AlbumLoudness(integrated: nil, truePeak: 0))
  }

  @Test func `a track of unknown length is measured in bounded memory, without an audible error`() throws {
    let parts = Self.stereo((10, -36), (31, -23.04), (10, -27.17), (10, -36))
    let exact = try measure(parts).loudness
    let counted = try measure(parts, statesLength: false).loudness
    #expect(abs(try #require(exact.integrated) - (try #require(counted.integrated))) <= 0.1)
    #expect(abs(try #require(exact.range) - (try #require(counted.range))) <= 0.2)
    #expect(exact.truePeak == counted.truePeak)
  }

  @Test func `NaN and infinite samples count as silence`() throws {
    let measurer = LoudnessMeasurer { _ throws(DecodingError) in OddDecoder() }
    let loudness = try measurer.measure("odd", silenceBelow: -60).loudness
    #expect(loudness.truePeak.isFinite)
    #expect(loudness.integrated?.isFinite == true)
  }

  @Test func `measuring reports its progress and can be cancelled`() throws {
    let measurer = LoudnessMeasurer { _ throws(DecodingError) in
      do { return try SineDecoder(Self.stereo((20, -23))) } catch {
        throw DecodingError(path: "sine", kind: .unsupported, reason: "\(error)")
      }
    }
    var total = Duration.zero
    #expect(throws: LoudnessError.cancelled) {
      _ = try measurer.measure("sine", silenceBelow: -60) { measured in
        total += measured
        return total < .seconds(3)
      }
    }
    #expect(total >= .seconds(3) && total < .seconds(5))
  }

  @Test func `a file that cannot be opened is an error with its reason`() throws {
    let failure = DecodingError(path: "x", kind: .malformed, reason: "is none")
    let measurer = LoudnessMeasurer { _ throws(DecodingError) in throw failure }
    #expect(throws: LoudnessError.decoding(failure)) { _ = try measurer.measure("x", silenceBelow: -60) }
  }

  @Test func `a file that ends early is measured as far as possible, with its failure`() throws {
    let failure = DecodingError(path: "x", kind: .malformed, reason: "is damaged")
    let measurer = LoudnessMeasurer { _ throws(DecodingError) in
      do { return try SineDecoder(Self.stereo((5, -23)), failure: failure) } catch { throw failure }
    }
    let track = try measurer.measure("x", silenceBelow: -60)
    #expect(track.failure == failure)
    #expect(track.loudness.integrated != nil)
    // It may end in silence only because the rest is missing.
    #expect(track.sound?.frames.isEmpty == true)
  }

  @Test func `the first and the last frame that is not silent are found`() throws {
    func frames(_ parts: [Part]) throws -> Range<Int64>? { try measure(parts, phase: .pi / 2).sound?.frames }
    let padded = Self.stereo((3.5, nil), (0.001, -50), (4, nil), (2, -20), (0.001, -50), (1.25, -62), (1, nil))
    #expect(try frames(padded) == 28_000..<76_016)
    #expect(try measure(padded, phase: .pi / 2).sound?.frameCount == 94_016)
    #expect(try frames(Self.stereo((1, -20))) == 0..<8_000)
    #expect(try frames(Self.stereo((5, nil))) == 0..<0)
    #expect(try frames([]) == 0..<0)
    // One channel suffices.
    let right = [Part(seconds: 1, levels: [nil, nil]), Part(seconds: 1, levels: [nil, -40])]
    #expect(try frames(right) == 8_000..<16_000)
  }
}

/// A square wave that contains NaN and infinite samples.
private final class OddDecoder: AudioDecoder {
  let format = AudioFormat(sampleRate: 8_000, channels: 1, coding: .lossy) ?? .fallback
  let frameCount: Int64? = nil
  let failure: DecodingError? = nil
  private var remaining = 80_000

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let count = min(buffer.count, remaining)
    let odd: [Float] = [.nan, .infinity, -.infinity, .signalingNaN]
    for index in 0..<count { buffer[index] = index % 100 < 4 ? odd[index % 4] : index % 8 < 4 ? 0.5 : -0.5 }
    remaining -= count
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) {}
}

extension AudioFormat {
  fileprivate static var fallback: AudioFormat { preconditionFailure("8 kHz is a rate") }
}

/// A decoder of a sine wave whose parts have the given levels.
final class SineDecoder: AudioDecoder {
  /// A part: its duration, and the level of each channel in dBFS; `nil` for silence.
  struct Part: Sendable {
    var seconds: Double
    var levels: [Double?]
  }

  let format: AudioFormat
  let frameCount: Int64?
  let failure: DecodingError?
  /// The end of each part, and the samples of a whole number of its periods.
  private let parts: [(end: Int, samples: [Float])]
  private var position = 0

  /// Creates a sine of `frequency`, a whole number of Hz.
  init(
    _ parts: [Part], rate: Int = 8_000, frequency: Int = 1_000, phase: Double = 0, statesLength: Bool = true,
    failure: DecodingError? = nil
  ) throws {
    let channels = parts.first?.levels.count ?? 2
    guard let format = AudioFormat(sampleRate: rate, channels: channels, coding: .lossy) else {
      throw CocoaError(.featureUnsupported)
    }
    self.format = format
    self.failure = failure
    let period = (1...rate).first { frequency * $0 % rate == 0 } ?? rate
    let sine = (0..<(period * 64)).map { sin(2 * .pi * Double(frequency * $0) / Double(rate) + phase) }
    var end = 0
    self.parts = parts.map { part in
      end += Int(part.seconds * Double(rate))
      let factors = part.levels.map { level in level.map { pow(10, $0 / 20) } ?? 0 }
      return (end, sine.flatMap { value in factors.map { Float(value * $0) } })
    }
    frameCount = statesLength ? Int64(end) : nil
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let part = parts.first(where: { position < $0.end }) else { return 0 }
    let room = min(buffer.count / format.channels, part.end - position) * format.channels
    var from = position * format.channels % part.samples.count
    var filled = 0
    while filled < room {
      let count = min(room - filled, part.samples.count - from)
      _ = UnsafeMutableBufferPointer(rebasing: buffer[filled..<(filled + count)])
        .update(from: part.samples[from..<(from + count)])
      filled += count
      from = 0
    }
    position += room / format.channels
    return room / format.channels
  }

  func seek(toFrame frame: Int64) throws(DecodingError) { position = Int(clamping: frame) }
}
