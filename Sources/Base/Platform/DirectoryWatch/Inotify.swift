#if os(Linux)
  import SystemPackage

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// An instance of inotify(7): a queue of events of what it watches.
  final class Inotify: Sendable {
    /// What is asked for a directory.
    struct Request: OptionSet {
      let rawValue: UInt32

      init(rawValue: UInt32) { self.rawValue = rawValue }
      private init(_ mask: InotifyEvent.Mask) { rawValue = mask.rawValue }

      /// All that can happen to its entries, and to itself. Files that are deleted while open tell no more.
      static let entries: Request = [
        Request([
          .created, .deleted, .written, .movedFrom, .movedTo, .attributes, .selfDeleted, .selfMoved,
        ]),
        Request(rawValue: UInt32(IN_EXCL_UNLINK)),
      ]
      /// Names that come.
      static let arrivals = Request([.created, .movedTo, .attributes])
      /// That itself goes.
      static let departure = Request([.selfDeleted, .selfMoved])
      /// Besides what was asked before.
      static let more = Request(rawValue: UInt32(IN_MASK_ADD))
      /// Only where no link leads to it.
      static let unlinked = Request(rawValue: UInt32(IN_DONT_FOLLOW))
    }

    private let file: FileDescriptor

    /// An instance that watches nothing.
    ///
    /// - Throws: `Errno`; `tooManyOpenFiles` where the user has too many instances (`fs.inotify.max_user_instances`).
    init() throws(Errno) {
      let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard number >= 0 else { throw Errno(rawValue: errno) }
      file = FileDescriptor(rawValue: number)
    }

    deinit { try? file.close() }

    /// What to poll for input.
    var descriptor: Int32 { file.rawValue }

    /// Watches a directory; gives its watch, which is the one it had where it was watched already, by whatever path.
    ///
    /// - Throws: `Errno`; `noSpace` where the user has too many watches, `notDirectory` for what is none.
    func watch(_ path: [UInt8], _ request: Request) throws(Errno) -> Int32 {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      let (watch, code) = unsafe name.withUnsafeBufferPointer { name -> (Int32, Int32) in
        guard let start = name.baseAddress else { return (-1, EINVAL) }
        let watch = unsafe inotify_add_watch(
          file.rawValue, start, request.rawValue | UInt32(IN_ONLYDIR))
        return (watch, errno)
      }
      guard watch >= 0 else { throw Errno(rawValue: code) }
      return watch
    }

    /// Ends a watch, which may be no more.
    func end(_ watch: Int32) { _ = inotify_rm_watch(file.rawValue, watch) }

    /// The events that wait, as many as `buffer` holds; none where none waits. Never blocks.
    func read(_ buffer: inout [UInt8]) -> [InotifyEvent] {
      let count = try? unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      return InotifyEvent.parse(buffer[..<(count ?? 0)])
    }
  }
#endif
