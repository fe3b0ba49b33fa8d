// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CFFTW
import Synchronization

/// A transform by FFTW, which is loaded at first use; freed when this object is released.
public final class FourierTransform: SpectrumTransform {
  public let size: Int
  // An address instead of a pointer: a plan does not change, so it may be passed between threads.
  private let plan: UInt

  /// Plans must not be made or destroyed by several threads at the same time.
  private static let planning = Mutex(())

  private static var library: UnsafePointer<FFTWLibrary>? { unsafe FFTWLibraryLoad() }

  /// The version of FFTW; `nil` if it is not installed.
  public static var libraryVersion: String? {
    guard let version = unsafe library?.pointee.version else { return nil }
    let words = unsafe String(cString: version).split(separator: "-")
    return words.dropFirst().first.map(String.init)
  }

  /// Creates a transform of `size` samples, at least 2. Returns `nil` if FFTW is not installed.
  public init?(size: Int) {
    guard size >= 2, let count = Int32(exactly: size), let library = unsafe Self.library else { return nil }
    var (input, output) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: size))
    let plan: UInt? = Self.planning.withLock { _ in
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          let flags = UInt32(CFFTW_ESTIMATE | CFFTW_UNALIGNED)
          let made = unsafe library.pointee.plan_r2r_1d(
            count, input.baseAddress, output.baseAddress, Int32(CFFTW_R2HC), flags)
          return unsafe made.map { UInt(bitPattern: $0) }
        }
      }
    }
    guard let plan else { return nil }
    self.plan = plan
    self.size = size
  }

  deinit {
    Self.planning.withLock { _ in unsafe Self.library?.pointee.destroy_plan(OpaquePointer(bitPattern: plan)) }
  }

  public func powers(of samples: [Float]) -> [Float] {
    guard samples.count == size, let library = unsafe Self.library else { return [] }
    var (input, output) = (samples, [Float](repeating: 0, count: size))
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe library.pointee.execute_r2r(OpaquePointer(bitPattern: plan), input.baseAddress, output.baseAddress)
      }
    }
    // The real parts come first, in order, and then the imaginary parts, in the opposite order.
    return (0...size / 2).map { bin in
      let imaginary = bin == 0 || 2 * bin == size ? 0 : output[size - bin]
      return output[bin] * output[bin] + imaginary * imaginary
    }
  }
}
