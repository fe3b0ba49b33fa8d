import ArgumentParser
import MusicLibrary
import MusicModel
import Platform

/// `albums`: lists what the library holds.
struct AlbumsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums", abstract: "List the albums of the library.")

  @Argument(help: "List the albums that match this alone: a title, or ARTIST/ALBUM.")
  var album: String?

  @OptionGroup var library: LibraryOptions

  func run(in session: Session) throws {
    let directory = library.directory(in: session)
    let contents: Library
    do {
      contents = try session.services.scanner.scan(directory)
    } catch {
      throw CommandError(readingLibrary: error)
    }
    let columns = StandardStream.output.terminalSize?.columns
    for line in AlbumListing.lines(try matching(contents.albums), columns: columns) { session.say(line) }
    for problem in contents.problems { session.complain("segue: skipped \(problem)") }
    if contents.albums.isEmpty {
      throw CommandError(.notFound, "no music in \(directory); name another directory with --library")
    }
  }

  private func matching(_ albums: [Album]) throws(CommandError) -> [Album] {
    guard let album else { return albums }
    switch AlbumFinder(albums).find(album) {
    case .found(let album): return [album]
    case .ambiguous(let albums): return albums
    case .none(let suggestions):
      let hint = suggestions.first.map { "; did you mean \"\($0.query)\"?" } ?? ""
      throw CommandError(.notFound, "no album matches \"\(album)\"\(hint)")
    }
  }
}
