// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A change of a file in place, performed step by step, as programs do that write tags.
public final class FileEdit {
  /// The ways in which programs change the contents of a file to others.
  public enum Kind: Sendable, CaseIterable {
    /// What is to be longer is written from its end, what is to be shorter from its beginning, so that everything is
    /// moved before it is overwritten.
    case moved
    /// Everything is written from the beginning, over what was there.
    case overwritten
    /// The file is emptied, and written again.
    case rewritten
  }

  private enum Step {
    case write(Range<Int>)
    case truncate(Int)
  }

  private let path: FilePath
  private let new: [UInt8]
  /// The steps that are to be performed, the next one last.
  private var steps: [Step]
  /// The time of the last change, in nanoseconds since 1970.
  private var time: Int64

  /// The number of steps that are to be performed.
  public var stepCount: Int { steps.count }

  /// Creates a change of the file at `path`, which has the contents `old`, to `new`, in about a dozen steps.
  ///
  /// The steps have times a second apart, since the clock of the system may be too coarse to tell them apart. They are
  /// in the future, so that they count as recent.
  ///
  /// - Parameter time: The time before the first step, in seconds since 1970.
  public init(_ kind: Kind, _ path: FilePath, from old: [UInt8], to new: [UInt8], after time: Int64 = 4_000_000_000) {
    (self.path, self.new, self.time) = (path, new, time * 1_000_000_000)
    let size = new.count / 12 + 1
    var steps = stride(from: 0, to: new.count, by: size).map { Step.write($0..<min($0 + size, new.count)) }
    if kind == .moved, new.count > old.count { steps.reverse() }
    if kind == .rewritten { steps.insert(.truncate(0), at: 0) }
    if new.count < old.count { steps.append(.truncate(new.count)) }
    self.steps = steps.reversed()
  }

  /// Performs the next `count` steps, as far as there are any.
  public func perform(_ count: Int = 1) throws {
    for _ in 0..<count {
      guard let step = steps.popLast() else { return }
      let file = try FileDescriptor.open(path, .writeOnly)
      try file.closeAfter {
        switch step {
        case .write(let range): _ = try file.writeAll(toAbsoluteOffset: Int64(range.lowerBound), new[range])
        case .truncate(let size): try file.resize(to: Int64(size))
        }
        time += 1_000_000_000
        try FilePath.setModificationTime(time, of: file)
      }
    }
  }
}
