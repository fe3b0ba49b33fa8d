// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Platform
import PlayerPort

/// The bands of the output's profile while the user edits them. Each change is applied at once; leaving without saving
/// returns to the profile before.
///
/// One request is sent at a time. What is changed until its reply is sent with the next one.
struct EqualiserEditor: Equatable, Sendable {
  /// How far a key changes a gain, in dB.
  static let gainStep = 0.5
  /// How often a key that goes far does what another one does.
  static let farSteps = 6
  /// By which factors keys change a frequency and a quality: a semitone, and the eighth part of an octave.
  private static let (semitone, qualityStep) = (2.0.raised(to: 1.0 / 12), 2.0.raised(to: 1.0 / 8))

  let output: String
  /// The name of the profile; `nil` before a change creates one.
  private(set) var name: String?
  private(set) var profile: EqualiserProfile
  /// The gain before the filters, in dB.
  private(set) var preamp: Double
  /// The index of the selected band.
  private(set) var band = 0
  private(set) var isBypassed: Bool
  /// Whether nothing is left to do: the editor is to be closed.
  private(set) var isClosed = false
  /// The profile before; `nil` if the output had none.
  private let original: EqualiserProfile?
  /// What the player has stored; `nil` for no profile.
  private var stored: EqualiserProfile?
  /// What was sent, while the reply is awaited.
  private var sent: EqualiserProfile?
  private var isSending = false
  /// Whether the last request has failed, and nothing was changed since.
  private var hasFailed = false
  /// Whether the user has left, and whether without saving.
  private var isLeaving = false
  private var isCancelled = false

  /// Creates an editor of the output's profile in `report`, or of ten bands; returns `nil` if the output is not known.
  init?(_ report: EqualiserReport) {
    guard let output = report.output else { return nil }
    (self.output, name, isBypassed) = (output, report.chosen, report.isBypassed)
    original = report.chosen == nil ? nil : report.shown?.profile
    stored = original
    profile = original ?? .tenBands
    preamp = profile.effectivePreamp
  }

  /// The selected band; `nil` if the profile has none.
  var filter: EqualiserFilter? { profile.filters.indices.contains(band) ? profile.filters[band] : nil }

  // MARK: Changes

  mutating func select(_ index: Int) { band = max(0, min(index, profile.filters.count - 1)) }

  /// Moves the gain of the band to the next multiples of ``gainStep``.
  mutating func changeGain(by steps: Int) {
    guard let filter, filter.kind.hasGain else { return }
    let position = (filter.gain / Self.gainStep).rounded(steps > 0 ? .down : .up)
    setGain((position + Double(steps)) * Self.gainStep)
  }

  /// Sets the gain of the band to 0.
  mutating func flatten() { setGain(0) }

  private mutating func setGain(_ gain: Double) {
    replace { EqualiserFilter($0.kind, $0.frequency, gain: gain, $0.width) }
  }

  /// Moves the frequency of the band up or down by a semitone.
  mutating func changeFrequency(up: Bool) {
    let factor = up ? Self.semitone : 1 / Self.semitone
    replace { EqualiserFilter($0.kind, Self.rounded($0.frequency * factor), gain: $0.gain, $0.width) }
  }

  /// Makes the band narrower or wider.
  mutating func changeWidth(narrower: Bool) {
    let factor = narrower ? Self.qualityStep : 1 / Self.qualityStep
    replace { filter in
      let width: EqualiserFilter.Width =
        switch filter.width {
        case .q(let q): .q(Self.rounded(q * factor))
        case .octaves(let octaves): .octaves(Self.rounded(octaves / factor))
        }
      return EqualiserFilter(filter.kind, filter.frequency, gain: filter.gain, width)
    }
  }

  /// Adds a band after the last one, and selects it.
  mutating func addBand() {
    guard profile.filters.count < EqualiserProfile.filterLimit else { return }
    change(to: profile.filters + [EqualiserFilter(.peak, 1_000, gain: 0, .q(1.41))])
    select(profile.filters.count - 1)
  }

  private mutating func replace(_ changed: (EqualiserFilter) -> EqualiserFilter) {
    guard let filter else { return }
    var filters = profile.filters
    filters[band] = changed(filter)
    change(to: filters)
  }

  private mutating func change(to filters: [EqualiserFilter]) {
    profile = EqualiserProfile(preamp: profile.preamp, filters: filters)
    preamp = profile.effectivePreamp
    hasFailed = false
  }

  /// Returns a number with three significant digits.
  private static func rounded(_ value: Double) -> Double {
    let scale = 10.0.raised(to: 2 - max(value, 1e-9).decimalLogarithm.rounded(.down))
    return (value * scale).rounded() / scale
  }

  /// Leaves the editor: everything stays as it is or, if `isCancelled`, becomes what it was.
  mutating func leave(isCancelled: Bool) { (isLeaving, self.isCancelled, hasFailed) = (true, isCancelled, false) }

  // MARK: The player

  /// Returns the request that makes the player apply what has changed; `nil` if there is nothing to send now.
  mutating func nextRequest() -> EqualiserRequest? {
    guard !isSending, !hasFailed else { return nil }
    // Ten bands that change nothing need no profile.
    let wanted = isCancelled || original == nil && profile == .tenBands ? original : profile
    guard wanted != stored else {
      isClosed = isLeaving
      return nil
    }
    (sent, isSending) = (wanted, true)
    guard let wanted else { return name.map { .delete($0) } }
    return name.map { .edit(.all(wanted), in: $0) } ?? .create(wanted, output: output)
  }

  /// Records the reply to a request about the equaliser; `nil` if it has failed.
  mutating func receive(_ report: EqualiserReport?, to request: EqualiserRequest) {
    if let report { isBypassed = report.isBypassed }
    switch request {
    case .create, .edit, .delete: break
    default: return
    }
    (isSending, hasFailed) = (false, report == nil)
    // What cannot be stored must not keep the user from leaving.
    guard let report else { return isClosed = isLeaving }
    stored = sent
    name = stored == nil ? nil : name ?? report.shown?.name
  }
}
