import MusicLibrary
import Platform
import SystemPackage

/// Tells the entries of a stored playlist, one for one: their positions are those that the list is edited by.
struct PlaylistListing: ResponseSource {
  /// How many entries are looked up for a piece of an answer.
  private static let stepLength = 256

  private let access: PlaylistAccess
  private let path: FilePath
  private let text: SongText
  private let isDetailed: Bool
  private var entries: ArraySlice<PlaylistEntry>

  /// Tells what the list `name` has in `range`: files, or where `isDetailed` all that is known of them.
  init(
    _ name: String, _ range: ProtocolRange, isDetailed: Bool, _ context: CommandContext
  ) throws(ProtocolError) {
    access = try PlaylistAccess(context)
    let (list, playlist) = try access.load(name)
    path = list.path
    text = SongText(context)
    self.isDetailed = isDetailed
    entries = playlist.entries[range.clamped(to: playlist.entries.count)]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    for (entry, track) in try access.described(entries.prefix(Self.stepLength), at: path) {
      if let track, isDetailed {
        text.add(track, to: &response)
      } else {
        response.add("file", track.map { SongURI.text($0, in: text.roots) } ?? place(of: entry))
      }
    }
    entries = entries.dropFirst(Self.stepLength)
    return !entries.isEmpty
  }

  /// Where an entry leads; as the list says it, where that is no place that may be looked at.
  private func place(of resolved: ResolvedEntry) -> String {
    if let path = resolved.path { return SongURI.text(path, in: text.roots) }
    switch resolved.entry.location {
    case .path(let bytes): return SongURI.text(FilePath(systemBytes: bytes), in: nil)
    case .address(let address): return address
    }
  }
}
