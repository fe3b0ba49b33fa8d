#if os(Linux)
  import SystemPackage

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The mounted file systems, as `/proc/self/mountinfo` tells them: see proc(5).
  struct MountPoints: ~Copyable {
    private let file: FileDescriptor?

    /// Where there is no such file, nothing is told.
    init() {
      file = try? unsafe FileDescriptor.open("/proc/self/mountinfo", .readOnly, options: .closeOnExec)
    }

    deinit { try? file?.close() }

    /// What to poll for an exceptional condition: there is one when something was mounted or unmounted, until it was
    /// polled.
    var descriptor: Int32 { file?.rawValue ?? -1 }

    /// What is mounted at or below a path, which leads over no link: the lines that tell it.
    func at(_ path: FilePath) -> Set<[UInt8]> {
      guard let file, (try? file.seek(offset: 0, from: .start)) != nil else { return [] }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 4096)
      while let count = unsafe try? part.withUnsafeMutableBytes({ unsafe try file.read(into: $0) }), count > 0 {
        bytes += part[..<count]
      }
      return Self.lines(of: bytes, at: path.systemBytes)
    }

    /// The lines whose mount point is this path, or below it.
    static func lines(of table: [UInt8], at path: [UInt8]) -> Set<[UInt8]> {
      let parent = path == [UInt8(ascii: "/")] ? path : path + [UInt8(ascii: "/")]
      var found: Set<[UInt8]> = []
      for line in table.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 4 else { continue }
        let point = unescaped(fields[4])
        if point == path || point.starts(with: parent) { found.insert(Array(line)) }
      }
      return found
    }

    /// Blanks and the like are written as a backslash and three octal digits.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = text
      while let byte = rest.popFirst() {
        let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
        if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ $0 < 8 }) {
          bytes.append(digits[0] << 6 | digits[1] << 3 | digits[2])
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  }
#endif
