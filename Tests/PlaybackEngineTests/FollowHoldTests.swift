import AudioCore
import Testing

@testable import PlaybackEngine

@Suite struct FollowHoldTests {
  private let one = PlaybackSource.ID(rawValue: 1)
  private let two = PlaybackSource.ID(rawValue: 2)

  @Test func `the word that began it lifts it, once`() {
    let hold = FollowHold()
    let word = hold.nextWord()
    hold.hold(behind: one, until: word)
    let held = hold.state
    let isLifted = hold.lift(word)
    let (left, isLiftedAgain) = (hold.state, hold.lift(word))
    #expect(held.holds(behind: one) && !held.holds(behind: two))
    #expect(isLifted && !isLiftedAgain && !left.holds(behind: one))
  }

  @Test func `a word that was said before does not lift it`() {
    let hold = FollowHold()
    let (first, second) = (hold.nextWord(), hold.nextWord())
    hold.hold(behind: one, until: first)
    hold.hold(behind: one, until: second)
    let isLiftedByFirst = hold.lift(first)
    let held = hold.state
    let isLiftedBySecond = hold.lift(second)
    let left = hold.state
    #expect(!isLiftedByFirst && held.holds(behind: one) && !held.holds(behind: two))
    #expect(isLiftedBySecond && !left.holds(behind: one))
  }

  @Test func `a word about another source does not let the first one go`() {
    let hold = FollowHold()
    let (first, second) = (hold.nextWord(), hold.nextWord())
    hold.hold(behind: one, until: first)
    hold.hold(behind: two, until: second)
    let isLiftedByFirst = hold.lift(first)
    let held = hold.state
    let isLiftedBySecond = hold.lift(second)
    hold.hold(behind: two, until: hold.nextWord())
    let later = hold.state
    #expect(!isLiftedByFirst && held.holds(behind: one) && held.holds(behind: two))
    #expect(isLiftedBySecond && later.holds(behind: two) && !later.holds(behind: one))
  }

  @Test func `a new beginning lifts whatever is held`() {
    let hold = FollowHold()
    let isFree = !hold.lift()
    hold.hold(behind: one, until: hold.nextWord())
    let isLifted = hold.lift()
    let left = hold.state
    #expect(isFree && isLifted && !left.holds(behind: one))
  }

  @Test func `a generation may begin with what is held, and with nothing else`() {
    let hold = FollowHold()
    let free = hold.state
    hold.hold(behind: one, until: hold.nextWord())
    let held = hold.state
    #expect(!free.holdsBack(one) && !free.holdsBack(nil))
    #expect(!held.holdsBack(one) && held.holdsBack(two) && held.holdsBack(nil))
  }
}
