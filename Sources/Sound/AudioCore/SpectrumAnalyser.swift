// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// A Fourier transform of a fixed number of real samples. Only one thread at a time may use it.
public protocol SpectrumTransform: AnyObject, Sendable {
  /// The number of samples.
  var size: Int { get }

  /// Returns the squared magnitudes of the frequencies 0, 1, ... to half of the ``size``, in periods per transform, of
  /// as many samples as the size says.
  func powers(of samples: [Float]) -> [Float]
}

/// Returns a transform of a number of samples, a power of two; `nil` if there is none, since a library is missing.
public typealias SpectrumTransformFactory = @Sendable (_ size: Int) -> (any SpectrumTransform)?

/// The loudness of bands of frequencies at an instant, from 0 (inaudible) to 1 (as loud as it is drawn).
public struct Spectrum: Sendable, Hashable {
  /// The loudness of each band, from the lowest frequency to the highest.
  public var bands: [Float]
  /// The loudness that each band has had lately: it stays for a moment, and then falls.
  public var peaks: [Float]

  public init(bands: [Float], peaks: [Float]) {
    self.bands = bands
    self.peaks = peaks
  }

  /// Whether all bands and peaks are 0.
  public var isSilent: Bool { bands.allSatisfy { $0 == 0 } && peaks.allSatisfy { $0 == 0 } }
}

/// Turns the sound that is audible at successive instants into the bands of a spectrum, which rise quickly, fall
/// slowly, and leave a peak behind. Its results do not depend on how often it is asked.
public struct SpectrumAnalyser: Sendable {
  /// The maximum number of bands.
  public static let bandLimit = 256

  /// The lower end of the first band, and the upper end of the last one, in hertz.
  private static let frequencies = 40.0...16_000.0
  /// The levels that are drawn as 0 and as 1, in decibels relative to a sine at full scale.
  private static let levels: ClosedRange<Float> = -66 ... -12
  /// How much louder high frequencies are drawn, in decibels per octave above ``pivot``: music has less of them.
  private static let slope: Float = 3
  /// The frequency that is drawn as loud as it is, in hertz.
  private static let pivot = 500.0
  /// The times in which a band comes nearer to a higher and to a lower loudness by a factor of e, in seconds.
  private static let (attack, decay) = (0.015, 0.18)
  /// How long a peak stays, in seconds.
  private static let hold = 0.5
  /// How fast a peak falls after that: the loudness in the first second.
  private static let fall = 0.9
  /// What is less is 0, so that a spectrum becomes silent.
  private static let threshold: Float = 1 / 512
  /// The maximum magnitude of a sample; a damaged file may contain any number.
  private static let sampleLimit: Float = 16

  /// The highest loudness of a band lately, and how many seconds ago that was.
  private struct Peak: Sendable {
    var height: Float = 0
    var age = 0.0

    /// What is left of the height.
    var current: Float {
      let falling = max(0, age - SpectrumAnalyser.hold)
      return max(0, height - Float(SpectrumAnalyser.fall * falling * falling))
    }
  }

  /// How the frequencies of a transform belong to the bands.
  private struct Layout: Sendable {
    let transform: any SpectrumTransform
    let sampleRate: Int
    let window: [Float]
    /// The bins between the ends of each band, and its middle, in bins.
    let bands: [(bins: Range<Int>, middle: Double, gain: Float)]
  }

  private let makeTransform: SpectrumTransformFactory
  private var bands: [Float]
  private var peaks: [Peak]
  private var layout: Layout?

  /// Creates an analyser for `bandCount` bands, but at least one and at most ``bandLimit``.
  public init(bandCount: Int, makeTransform: @escaping SpectrumTransformFactory) {
    let count = max(1, min(bandCount, Self.bandLimit))
    self.makeTransform = makeTransform
    bands = Array(repeating: 0, count: count)
    peaks = Array(repeating: Peak(), count: count)
  }

  /// Returns the spectrum of `sound`, or of silence, `seconds` after the last one; `nil` if there is no transform.
  public mutating func spectrum(of sound: AudibleSound?, after seconds: Double) -> Spectrum? {
    guard let targets = targets(sound) else { return nil }
    let seconds = seconds.isFinite ? max(0, seconds) : 0
    let (rise, drop) = (
      Float(1 - (-seconds / Self.attack).exponential), Float(1 - (-seconds / Self.decay).exponential)
    )
    for (band, target) in targets.enumerated() {
      let old = bands[band]
      let new = old + (target - old) * (target > old ? rise : drop)
      bands[band] = new < Self.threshold ? 0 : new
      peaks[band].age += seconds
      if peaks[band].current <= bands[band] { peaks[band] = Peak(height: bands[band]) }
    }
    return Spectrum(bands: bands, peaks: peaks.map(\.current))
  }

  /// Returns the loudness of each band at this moment; `nil` if there is no transform.
  private mutating func targets(_ sound: AudibleSound?) -> [Float]? {
    // Silence, too, shows whether there is a transform.
    let sampleRate = sound?.sampleRate ?? layout?.sampleRate ?? 44_100
    let size = sound?.left.count ?? layout?.transform.size ?? AudibleSound.length(sampleRate: sampleRate)
    if layout?.sampleRate != sampleRate || layout?.transform.size != size { layout = makeLayout(size, sampleRate) }
    guard let layout else { return nil }
    guard let sound else { return Array(repeating: 0, count: bands.count) }
    let samples = zip(sound.mono, layout.window).map { sample, weight in
      // A comparison with what is not a number is false.
      weight * (sample.magnitude <= Self.sampleLimit ? sample : 0)
    }
    let powers = layout.transform.powers(of: samples)
    guard powers.count > 2 else { return Array(repeating: 0, count: bands.count) }
    // A sine at full scale has a magnitude of a quarter of the size behind the window.
    let unit = Float(size * size) / 16
    let last = min(powers.count, layout.bands.map { max($0.bins.upperBound, Int($0.middle) + 3) }.max() ?? 0)
    let decibels = powers[..<last].map { 10 * max($0 / unit, 1e-12).decimalLogarithm }
    return layout.bands.map { band in
      guard band.middle <= Double(decibels.count - 1) else { return 0 }
      let loudest = decibels[band.bins.clamped(to: 0..<decibels.count)].max() ?? -.infinity
      let level = max(loudest, Self.interpolated(decibels, at: band.middle)) + band.gain
      let range = Self.levels.upperBound - Self.levels.lowerBound
      return min(max((level - Self.levels.lowerBound) / range, 0), 1)
    }
  }

  /// Returns the level between two bins, on the cubic curve of Catmull and Rom, which is exact for parabolas; behind
  /// the window, the levels around a sine are nearly on one.
  private static func interpolated(_ levels: [Float], at position: Double) -> Float {
    let index = Int(position)
    let part = Float(position - Double(index))
    func level(_ offset: Int) -> Float { levels[min(max(0, index + offset), levels.count - 1)] }
    let (a, b, c, d) = (level(-1), level(0), level(1), level(2))
    let slope = c - a
    let curve = 2 * a - 5 * b + 4 * c - d
    let twist = 3 * (b - c) + d - a
    return b + part * (slope + part * (curve + part * twist)) / 2
  }

  private func makeLayout(_ size: Int, _ sampleRate: Int) -> Layout? {
    guard size >= 4, sampleRate > 0, let transform = makeTransform(size) else { return nil }
    let binsPerHertz = Double(size) / Double(sampleRate)
    let (low, high) = (Self.frequencies.lowerBound, Self.frequencies.upperBound)
    func frequency(_ band: Double) -> Double { low * (high / low).raised(to: band / Double(bands.count)) }
    return Layout(
      transform: transform, sampleRate: sampleRate,
      window: (0..<size).map { Float(0.5 - 0.5 * (2 * .pi * Double($0) / Double(size)).cosine) },
      bands: bands.indices.map { band in
        let (start, middle, end) = (
          frequency(Double(band)), frequency(Double(band) + 0.5), frequency(Double(band + 1))
        )
        let first = Int((start * binsPerHertz).rounded(.up))
        return (
          first..<max(first, Int((end * binsPerHertz).rounded(.up))), middle * binsPerHertz,
          Self.slope * Float((middle / Self.pivot).binaryLogarithm)
        )
      })
  }
}
