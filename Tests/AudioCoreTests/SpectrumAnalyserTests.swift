// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct SpectrumAnalyserTests {
  private static func sine(
    _ frequency: Double, amplitude: Double = 1, rate: Int = 44_100, count: Int? = nil
  ) -> AudibleSound {
    let count = count ?? AudibleSound.length(sampleRate: rate)
    let samples = (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    return AudibleSound(left: samples, right: samples, sampleRate: rate, position: count / 2)
  }

  private static func analyser(_ bands: Int) -> SpectrumAnalyser {
    SpectrumAnalyser(bandCount: bands) { NaiveTransform(size: $0) }
  }

  private static func spectrum(
    _ analyser: inout SpectrumAnalyser, of sound: AudibleSound?, after seconds: Double
  ) throws -> Spectrum {
    let spectrum = analyser.spectrum(of: sound, after: seconds)
    return try #require(spectrum)
  }

  /// Returns the band of `count` in which a frequency is.
  private static func band(of frequency: Double, _ count: Int) -> Int {
    Int(log(frequency / 40) / log(400) * Double(count))
  }

  @Test(arguments: [50.0, 97, 440, 1_000, 3_333, 9_000, 15_000], [12, 40])
  func `A sine is loudest in the band of its frequency`(frequency: Double, bands: Int) throws {
    var analyser = Self.analyser(bands)
    let sound = Self.sine(frequency, amplitude: 0.1, count: frequency < 200 ? 4_096 : 512)
    let spectrum = try Self.spectrum(&analyser, of: sound, after: 1)
    let loudest = try #require(spectrum.bands.indices.max { spectrum.bands[$0] < spectrum.bands[$1] })
    #expect(loudest == Self.band(of: frequency, bands), "\(spectrum.bands)")
    #expect(spectrum.bands.count == bands && spectrum.peaks == spectrum.bands)
    // Far from it, there is nothing.
    let far = frequency < 1_000 ? bands - 1 : 0
    #expect(spectrum.bands[far] < 0.1, "\(spectrum.bands)")
  }

  @Test(arguments: [(8_000, 512), (44_100, 4_096), (48_000, 4_096), (96_000, 8_192), (192_000, 16_384)])
  func `Pieces of sound last about as long at every rate`(rate: Int, length: Int) {
    #expect(AudibleSound.length(sampleRate: rate) == length)
  }

  @Test func `Bands above half of the rate are silent, and those below are where they are at other rates`() throws {
    var analyser = Self.analyser(20)
    let spectrum = try Self.spectrum(&analyser, of: Self.sine(1_000, amplitude: 0.1, rate: 8_000), after: 1)
    let loudest = try #require(spectrum.bands.indices.max { spectrum.bands[$0] < spectrum.bands[$1] })
    #expect(loudest == Self.band(of: 1_000, 20))
    #expect(spectrum.bands[17...].allSatisfy { $0 == 0 })
  }

  @Test func `The height of a band is its level in decibels`() throws {
    func height(_ amplitude: Double) throws -> Float {
      var analyser = Self.analyser(30)
      let band = Self.band(of: 500, 30)
      return try Self.spectrum(&analyser, of: Self.sine(500, amplitude: amplitude, count: 1_024), after: 10).bands[
        band]
    }
    let steps = try [-50.0, -40, -30, -20].map { try height(pow(10, $0 / 20)) }
    // The range is 54 dB.
    for (lower, higher) in zip(steps, steps.dropFirst()) { #expect(abs(higher - lower - 10.0 / 54) < 0.001) }
    #expect(try height(1) == 1 && height(0) == 0 && height(1e-6) == 0)
  }

  @Test func `A band rises quickly and falls slowly, however often it is computed`() throws {
    let sound = Self.sine(500, amplitude: 0.1, count: 256)
    func heights(_ steps: Int) throws -> (risen: Float, fallen: Float) {
      var analyser = Self.analyser(8)
      let band = Self.band(of: 500, 8)
      var (risen, fallen): (Float, Float) = (0, 0)
      for _ in 0..<steps {
        risen = try Self.spectrum(&analyser, of: sound, after: 0.1 / Double(steps)).bands[band]
      }
      for _ in 0..<steps {
        fallen = try Self.spectrum(&analyser, of: nil, after: 0.2 / Double(steps)).bands[band]
      }
      return (risen, fallen)
    }
    let (once, often) = (try heights(1), try heights(24))
    #expect(abs(once.risen - often.risen) < 0.001 && abs(once.fallen - often.fallen) < 0.001)
    #expect(once.risen > 0.4 && once.fallen < once.risen * 0.4 && once.fallen > once.risen * 0.2)
  }

  @Test func `A peak stays, and then falls until there is silence`() throws {
    var analyser = Self.analyser(8)
    let (sound, band) = (Self.sine(500, amplitude: 0.1, count: 256), Self.band(of: 500, 8))
    let top = try Self.spectrum(&analyser, of: sound, after: 10).peaks[band]
    let held = try Self.spectrum(&analyser, of: nil, after: 0.4)
    #expect(held.peaks[band] == top && held.bands[band] < top / 4)
    let falling = try Self.spectrum(&analyser, of: nil, after: 0.5)
    #expect(falling.peaks[band] < top && falling.peaks[band] > falling.bands[band])
    #expect(!falling.isSilent)
    // A louder sound begins a new peak.
    let next = try Self.spectrum(&analyser, of: sound, after: 10)
    #expect(next.peaks[band] == next.bands[band] && next.bands[band] > falling.peaks[band])
    for _ in 0..<90 { _ = analyser.spectrum(of: nil, after: 1.0 / 30) }
    let silent = try Self.spectrum(&analyser, of: nil, after: 1.0 / 30)
    #expect(silent.isSilent)
  }

  @Test func `Hostile sounds, times and numbers of bands give loudnesses from 0 to 1`() throws {
    for (bands, count) in [(Int.min, 1), (0, 1), (1, 1), (256, 256), (Int.max, 256)] {
      var analyser = Self.analyser(bands)
      for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 0, .leastNonzeroMagnitude] {
        let samples = [Float](repeating: value, count: 64)
        let sound = AudibleSound(left: samples, right: samples, sampleRate: 44_100, position: 99)
        for seconds in [0, -1, Double.nan, .infinity, 1e300] {
          let spectrum = try Self.spectrum(&analyser, of: sound, after: seconds)
          #expect(spectrum.bands.count == count && spectrum.peaks.count == count)
          #expect((spectrum.bands + spectrum.peaks).allSatisfy { (0...1).contains($0) }, "\(value) \(seconds)")
        }
      }
    }
  }

  @Test func `Sounds of hostile sizes and rates are silent`() {
    for rate in [Int.min, 0, 1, .max] {
      var analyser = Self.analyser(4)
      for count in [0, 1, 3, 5] {
        let samples = [Float](repeating: 1, count: count)
        let sound = AudibleSound(left: samples, right: samples, sampleRate: rate, position: -1)
        let spectrum = analyser.spectrum(of: sound, after: 0.03)
        #expect(spectrum.map { $0.bands.allSatisfy { (0...1).contains($0) } } ?? true)
        #expect(sound.levels.rms.left <= 1)
      }
      #expect((64...16_384).contains(AudibleSound.length(sampleRate: rate)))
    }
  }

  @Test func `Without a transform, there is no spectrum, and the analyser asks again`() {
    let count = Mutex(0)
    var analyser = SpectrumAnalyser(bandCount: 8) { size in
      count.withLock { $0 += 1 }
      return nil
    }
    let spectra = [analyser.spectrum(of: nil, after: 1), analyser.spectrum(of: Self.sine(500), after: 1)]
    #expect(spectra == [nil, nil])
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `Levels are those of a thirtieth of a second around what is audible`() {
    var left = [Float](repeating: 0.25, count: 300)
    (left[100], left[199], left[149]) = (1, 1, -0.5)
    // Ten frames are a thirtieth of a second.
    let sound = AudibleSound(left: left, right: left.map { $0 / 2 }, sampleRate: 300, position: 150)
    #expect(sound.levels.peak == .init(left: 0.5, right: 0.25))
    #expect(abs(sound.levels.rms.left - 0.285_044) < 1e-5)
  }
}
