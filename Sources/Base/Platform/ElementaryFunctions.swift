// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard

extension Double {
  /// e to the power of this number.
  public var exponential: Double { exp(self) }

  /// The cosine of this angle.
  public var cosine: Double { cos(self) }

  /// The sine of this angle.
  public var sine: Double { sin(self) }

  /// The hyperbolic sine of this number.
  public var hyperbolicSine: Double { sinh(self) }

  /// The logarithm of this number to base 10.
  public var decimalLogarithm: Double { log10(self) }

  /// The logarithm of this number to base 2.
  public var binaryLogarithm: Double { log2(self) }

  /// Returns this number to the power of `exponent`.
  public func raised(to exponent: Double) -> Double { pow(self, exponent) }
}

extension Float {
  /// The logarithm of this number to base 10.
  public var decimalLogarithm: Float { log10(self) }
}
