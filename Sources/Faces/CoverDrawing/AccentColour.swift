// SPDX-License-Identifier: GPL-3.0-or-later

/// The colour of a picture that stands out most: the mean of the pixels around its most frequent vivid hue.
public struct AccentColour: Sendable, Hashable {
  /// The number of pixels that are looked at.
  private static let sampleCount = 4_096
  /// The number of ranges into which hues are divided.
  private static let hueCount = 24
  /// The part of the picture that must be vivid.
  private static let minimum = 0.02

  /// The red component, from 0 to 255.
  public let red: UInt8
  /// The green component, from 0 to 255.
  public let green: UInt8
  /// The blue component, from 0 to 255.
  public let blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Finds the accent of a picture with four bytes for each pixel: red, green, blue and opacity. Returns `nil` if it
  /// has no vivid colour.
  init?(pixels: UnsafeBufferPointer<UInt8>) {
    let count = pixels.count / 4
    guard count > 0 else { return nil }
    let step = max(1, count / Self.sampleCount)
    var sums = Array(repeating: (weight: 0.0, red: 0.0, green: 0.0, blue: 0.0), count: Self.hueCount)
    for pixel in stride(from: 0, to: count, by: step) {
      let (red, green, blue) = unsafe (
        Double(pixels[4 * pixel]), Double(pixels[4 * pixel + 1]), Double(pixels[4 * pixel + 2])
      )
      let (high, low) = (max(red, green, blue), min(red, green, blue))
      guard unsafe pixels[4 * pixel + 3] > 127, high > low else { continue }
      // The saturation times the brightness.
      let weight = (high - low) / 255
      let bin = min(Self.hueCount - 1, Int(Self.hue(red, green, blue) * Double(Self.hueCount)))
      sums[bin].weight += weight
      sums[bin].red += weight * red
      sums[bin].green += weight * green
      sums[bin].blue += weight * blue
    }
    guard let best = sums.max(by: { $0.weight < $1.weight }),
      best.weight > Self.minimum * Double((count + step - 1) / step)
    else { return nil }
    let component = { (sum: Double) in UInt8(max(0, min(255, sum / best.weight))) }
    self.init(red: component(best.red), green: component(best.green), blue: component(best.blue))
  }

  /// Returns the hue of a colour that is not grey, from 0 to 1.
  private static func hue(_ red: Double, _ green: Double, _ blue: Double) -> Double {
    let (high, low) = (max(red, green, blue), min(red, green, blue))
    let sixths =
      switch high {
      case red: (green - blue) / (high - low)
      case green: 2 + (blue - red) / (high - low)
      default: 4 + (red - green) / (high - low)
      }
    return (sixths < 0 ? sixths + 6 : sixths) / 6
  }
}
