import MusicLibrary
import Platform
import SystemPackage

extension CommandTable {
  /// The pictures of songs.
  static let pictures: [RemoteCommand] = [
    RemoteCommand("albumart", .read, arguments: 2...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let offset = try arguments.unsigned(1)
      let tracks = try LibraryTracks(context)
      guard let place = try? tracks.filePath(arguments[0]),
        let cover = CoverFile(in: place.directory, reach: tracks.reach, limit: Picture.sizeLimit),
        let status = try? FileStatus(of: cover.path)
      else { throw ProtocolError(.noExist, "No file exists") }
      let key = PictureShelf.Key(path: cover.path, modified: status.modificationTime, isEmbedded: false)
      let picture = try context.library.pictures.picture(key) {
        let bytes = (try? AtomicFile.read(cover.path, limit: Picture.sizeLimit)) ?? nil
        return bytes.map { Picture(bytes: $0, type: nil) }
      }
      guard let picture else { throw ProtocolError(.noExist, "No file exists") }
      try add(picture, key, from: offset, &context)
    },
    RemoteCommand("readpicture", .read, arguments: 2...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let offset = try arguments.unsigned(1)
      let tracks = try LibraryTracks(context)
      guard case .file(let path)? = try? tracks.filePath(arguments[0]),
        let status = try? FileStatus(of: path), status.kind == .regular
      else { throw ProtocolError(.noExist, "No such song") }
      let key = PictureShelf.Key(path: path, modified: status.modificationTime, isEmbedded: true)
      let picture = try context.library.pictures.picture(key) {
        EmbeddedPicture(of: path, limit: Picture.sizeLimit).map {
          Picture(bytes: $0.bytes, type: $0.mimeType)
        }
      }
      // A song without a picture has an empty answer.
      if let picture { try add(picture, key, from: offset, &context) }
    },
  ]

  private static func add(
    _ picture: Picture, _ key: PictureShelf.Key, from offset: Int, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let isLast = try picture.add(from: offset, limit: context.client.binaryLimit, to: &context.response)
    let shelf = try context.library.pictures
    if isLast { shelf.drop(key) } else { shelf.keep(picture, key) }
  }
}

extension LibraryTracks.PathOfPlace {
  /// The directory itself, or that of the file.
  fileprivate var directory: FilePath {
    switch self {
    case .file(let path): path.removingLastComponent()
    case .directory(let path): path
    }
  }
}
