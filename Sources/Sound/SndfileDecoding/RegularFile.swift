import Platform
import SystemPackage

/// A regular file that is open for reading; closed when this goes.
final class RegularFile {
  /// For reading at places of our own; its position belongs to nobody.
  let descriptor: FileDescriptor
  /// In bytes, when it was opened.
  let size: Int64

  /// Opens the regular file at `path`, and nothing else: a FIFO or a device could block for ever.
  init(_ path: FilePath) throws(SndfileError) {
    do {
      let status = try FileStatus(of: path)
      guard status.kind == .regular else { throw SndfileError.notRegular }
      size = status.size
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch let error as Errno {
      throw SndfileError(code: SndfileError.system, message: error.description)
    } catch {
      throw .notRegular
    }
  }

  deinit { try? descriptor.close() }

  /// A way to the file that is open, whatever its name is now and even where it has none any more; Linux alone has it.
  ///
  /// What is opened there has a position of its own. Holds as long as this file is open.
  var place: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

  /// Whether it has become shorter since it was opened.
  var isShorter: Bool { size > 0 && !descriptor.hasByte(at: size - 1) }
}
