// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// A point of the curve of a graphic equaliser.
struct CurvePoint: Equatable {
  /// The maximum number of points of a curve.
  private static let limit = 2_000

  /// The frequency in Hz.
  var frequency: Double
  /// The gain in dB.
  var gain: Double

  /// Parses points such as `20 -1.5; 21 -1.4`, and sorts them by their frequencies.
  static func points(_ text: Substring) throws(EqualiserProblem) -> [CurvePoint] {
    var points: [CurvePoint] = []
    for part in text.split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      guard words.count == 2, let frequency = Double(words[0]), let gain = Double(words[1]) else {
        throw EqualiserProblem("\(EqualiserLine.quoted(part)) is no frequency with a gain")
      }
      guard EqualiserFilter.frequencies.contains(frequency), EqualiserProfile.preamps.contains(gain) else {
        throw EqualiserProblem("\(EqualiserLine.quoted(part)) is out of range: use 1 to 100000 Hz, and -60 to 30 dB")
      }
      points.append(CurvePoint(frequency: frequency, gain: gain))
      if points.count > limit { throw EqualiserProblem("the curve has more than \(limit) points") }
    }
    if points.isEmpty { throw EqualiserProblem("the curve has no points") }
    return points.sorted { $0.frequency < $1.frequency }
  }

  /// Returns the gain at a frequency: on straight lines between the points over the logarithm of the frequency, and
  /// constant outside of them.
  static func gain(at frequency: Double, _ points: [CurvePoint]) -> Double {
    guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else { return points.last?.gain ?? 0 }
    guard next > 0, points[next].frequency > frequency else { return points[next].gain }
    let (left, right) = (points[next - 1], points[next])
    let span = (right.frequency / left.frequency).binaryLogarithm
    return left.gain + (right.gain - left.gain) * (frequency / left.frequency).binaryLogarithm / span
  }
}

/// Filters a third of an octave apart, between two shelves, whose response is as near to a curve as least squares make
/// it.
struct FilterBank {
  /// The rate at which the response is fitted, and those at which its error is measured.
  private static let rate = 48_000
  private static let errorRates = [44_100, 48_000, 96_000]
  /// How often the gains are corrected: the responses of filters do not quite add up.
  private static let rounds = 8
  /// The number of filters.
  static let filterCount = centres.count + 2
  private static let centres = (0...29).map { 20 * 2.0.raised(to: Double($0) / 3) }

  /// The mean gain of the curve, in dB.
  let level: Double
  private(set) var filters: [EqualiserFilter]
  /// The largest difference from the curve from 20 Hz to 20 kHz at any of the usual rates, in dB.
  private(set) var error = 0.0

  init(approximating points: [CurvePoint]) {
    let grid = (0...160).map { 20 * 1_000.0.raised(to: Double($0) / 160) }
    let wanted = grid.map { CurvePoint.gain(at: $0, points) }
    level = wanted.reduce(0, +) / Double(wanted.count)
    filters =
      [EqualiserFilter(.lowShelf, 30, .q(0.7))] + Self.centres.map { EqualiserFilter(.peak, $0, .q(1.5)) }
      + [EqualiserFilter(.highShelf, 12_000, .q(0.7))]
    for _ in 0..<Self.rounds {
      let responses = filters.map { filter in Self.response(filter, grid) }
      let missing = grid.indices.map { row in wanted[row] - level - responses.reduce(0) { $0 + $1[row] } }
      let slopes = filters.map { filter in
        var raised = filter
        raised.gain += 0.25
        var lowered = filter
        lowered.gain -= 0.25
        return zip(Self.response(raised, grid), Self.response(lowered, grid)).map { 2 * ($0 - $1) }
      }
      for (index, change) in Self.leastSquares(slopes, missing).enumerated() {
        let (kind, frequency, width) = (filters[index].kind, filters[index].frequency, filters[index].width)
        filters[index] = EqualiserFilter(kind, frequency, gain: filters[index].gain + change, width)
      }
    }
    for rate in Self.errorRates {
      let biquads = filters.map { Biquad($0, sampleRate: rate) }
      for (frequency, gain) in zip(grid, wanted) {
        let response = biquads.reduce(level) { $0 + $1.decibels(at: frequency, sampleRate: rate) }
        error = max(error, abs(response - gain))
      }
    }
  }

  private static func response(_ filter: EqualiserFilter, _ grid: [Double]) -> [Double] {
    let biquad = Biquad(filter, sampleRate: rate)
    return grid.map { biquad.decibels(at: $0, sampleRate: rate) }
  }

  /// Returns the factors with which the sum of `columns` is nearest to `target`. Large factors count as errors, too, so
  /// that neighbours do not work against each other.
  private static func leastSquares(_ columns: [[Double]], _ target: [Double]) -> [Double] {
    let count = columns.count
    let product = { (left: [Double], right: [Double]) in zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
    var rows = (0..<count).map { row in
      (0..<count).map { product(columns[row], columns[$0]) + ($0 == row ? 1e-3 : 0) } + [product(columns[row], target)]
    }
    // The matrix is positive definite, so elimination needs no pivoting.
    for pivot in 0..<count {
      for row in (pivot + 1)..<max(count, pivot + 1) {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    var factors = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      let known = ((row + 1)..<max(count, row + 1)).reduce(0) { $0 + rows[row][$1] * factors[$1] }
      factors[row] = (rows[row][count] - known) / rows[row][row]
    }
    return factors
  }
}
