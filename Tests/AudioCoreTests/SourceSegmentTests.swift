import AudioCore
import Testing

@Suite struct SourceSegmentTests {
  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 44_101])
  func `the frame of every CD frame is exact, rounded down, up to three hours`(rate: Int) {
    for cdFrame in stride(from: 0, through: 3 * 3600 * 75, by: 997) {
      let segment = SourceSegment(start: cdFrame, end: cdFrame + 1)
      #expect(segment.startFrame(at: rate) == Int64(cdFrame * rate / 75))
      #expect(segment.endFrame(at: rate) == Int64((cdFrame + 1) * rate / 75))
    }
  }

  @Test func `at the rate of a CD a frame has 588 samples`() {
    #expect(SourceSegment(start: 4_500 * 60, end: nil).startFrame(at: 44_100) == 4_500 * 60 * 588)
    #expect(SourceSegment(start: 0, end: nil).endFrame(at: 44_100) == nil)
  }

  @Test func `bounds beyond all numbers give the greatest one`() {
    let segment = SourceSegment(start: .max, end: .max)
    #expect(segment.startFrame(at: 768_000) == .max && segment.endFrame(at: 768_000) == .max)
    #expect(SourceSegment(start: .max, end: .max).startFrame(at: 1) == Int64.max / 75)
  }

  @Test func `bounds that make no sense give an empty part`() {
    let segment = SourceSegment(start: 10, end: 3)
    #expect(segment.start == 10 && segment.end == 10)
    #expect(SourceSegment(start: -4, end: -2) == SourceSegment(start: 0, end: 0))
  }
}
