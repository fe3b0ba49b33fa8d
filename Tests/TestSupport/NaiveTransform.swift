// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import Foundation

/// A Fourier transform that computes each frequency by its definition. It is slow: for short pieces of sound.
public final class NaiveTransform: SpectrumTransform {
  public let size: Int

  public init(size: Int) { self.size = size }

  /// Returns the squared magnitudes of the frequencies from 0 to half of the size.
  public func powers(of samples: [Float]) -> [Float] {
    let turn = (0..<size).map { 2 * Double.pi * Double($0) / Double(size) }
    let (cosines, sines) = (turn.map { cos($0) }, turn.map { sin($0) })
    return (0...size / 2).map { bin in
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        real += Double(sample) * cosines[bin * index % size]
        imaginary -= Double(sample) * sines[bin * index % size]
      }
      return Float(real * real + imaginary * imaginary)
    }
  }
}
