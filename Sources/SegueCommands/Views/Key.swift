/// A key of the now-playing view.
enum Key: Equatable {
  case character(Character)
  case left
  case right
  case up
  case down
}
