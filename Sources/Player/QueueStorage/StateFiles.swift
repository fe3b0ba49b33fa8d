import GRDB
import MusicModel
import Platform
import SystemPackage

/// The files of the database, and what is wrong with them in plain words.
enum StateFiles {
  private static let advice = "; --state-dir names another directory for it"

  /// Whether `error` means that the file is no database of ours, or a damaged one.
  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case StateSchema.Obstacle.damaged, StateSchema.Obstacle.empty, StateSchema.Obstacle.foreign: return true
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PERM, .SQLITE_AUTH,
        .SQLITE_INTERRUPT, .SQLITE_PROTOCOL, .SQLITE_NOLFS:
        return false
      // A damaged length asks for more memory than there is, too.
      case .SQLITE_NOMEM: return hasMemory
      case .SQLITE_IOERR: return error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
      default: return true
      }
    default: return false
    }
  }

  /// Whether there is memory for a database.
  private static var hasMemory: Bool {
    guard let database = try? DatabaseQueue() else { return false }
    defer { try? database.close() }
    return (try? database.write { try $0.execute(sql: StateTables.creation) }) != nil
  }

  /// What `error` means for the database at `path`, where it is no damage.
  static func fault(_ error: any Error, _ path: FilePath) -> QueueFault {
    switch error {
    case let fault as QueueFault: fault
    case StateSchema.Obstacle.tooNew:
      QueueFault(
        .unusable,
        "the kept queue \(path.shown) is of a later version of Segue: update Segue, or name another directory with --state-dir"
      )
    case StateSchema.Obstacle.noText:
      QueueFault(.unusable, "the queue cannot be kept in \(path.shown): its path is no text\(advice)")
    case let error as DatabaseError:
      QueueFault(.unwritten, "the queue cannot be kept in \(path.shown): \(reason(error))\(advice)")
    case Errno.noSpace, Errno.diskQuotaExceeded:
      QueueFault(.unwritten, "the queue cannot be kept in \(path.shown): the disk is full\(advice)")
    default: QueueFault(.unwritten, "the queue cannot be kept in \(path.shown): \(error)\(advice)")
    }
  }

  private static func reason(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_FULL: "the disk is full"
    case .SQLITE_READONLY: "it cannot be written"
    case .SQLITE_CANTOPEN: "it cannot be opened"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "another program holds it"
    default: error.message ?? "SQLite's error \(error.resultCode.rawValue)"
    }
  }

  /// Gives the database at `path` and what belongs to it other names; gives the fault that says so.
  static func setAside(_ path: FilePath, because error: any Error) -> QueueFault {
    let what =
      switch error {
      case StateSchema.Obstacle.foreign: "is of another program"
      case StateSchema.Obstacle.empty: "has nothing in it"
      default: "is damaged"
      }
    let new: FilePath
    do throws(Errno) { new = try DatabaseFile(path).setAside() } catch {
      return QueueFault(
        .unusable, "the kept queue \(path.shown) \(what), and cannot be set aside: \(error)\(advice)")
    }
    return QueueFault(
      .setAside, "the kept queue \(path.shown) \(what) and is now \(new); the next one begins empty")
  }
}
