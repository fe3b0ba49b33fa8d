import MusicModel
import QueueStorage
import TestSupport

/// A database on a disk that is full at times.
final class FullRepository: QueueRepository {
  static let fault = QueueFault(.unwritten, "the disk is full")

  let isFull = Watched(false)
  private let database: StateDatabase

  init(_ database: StateDatabase) { self.database = database }

  private func checkSpace() throws(QueueFault) {
    if isFull.value { throw Self.fault }
  }

  func begin() throws(QueueFault) -> KeptBeginning { try database.begin() }
  func recall() throws(QueueFault) -> KeptQueue? { try database.recall() }
  func keep(_ queue: KeptQueue) throws(QueueFault) {
    try checkSpace()
    try database.keep(queue)
  }
  func keep(heard: Duration) throws(QueueFault) {
    try checkSpace()
    try database.keep(heard: heard)
  }
  func keep(volume: Int) throws(QueueFault) {
    try checkSpace()
    try database.keep(volume: volume)
  }
  func tidy() throws(QueueFault) { try database.tidy() }
  func setAside() -> QueueFault { database.setAside() }
  func look() throws(QueueFault) -> KeptQueue? { try database.look() }
  func lookAtBeginning() throws(QueueFault) -> KeptBeginning? { try database.lookAtBeginning() }
  var damaged: QueueFault { database.damaged }
  func close() { database.close() }
}
