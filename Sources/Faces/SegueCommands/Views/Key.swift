/// A key of a view that takes keys one by one.
enum Key: Equatable {
  case character(Character)
  case left
  case right
  case up
  case down
  case enter
  case tab
  case backspace
  case escape
}
