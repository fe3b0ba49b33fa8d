import MusicModel

/// The columns of numbers.
enum QueryNumbers {
  /// The column of `track` that holds a number, and the range of what it holds.
  static func bounds(
    _ field: LibraryQuery.NumberField, _ range: QueryRange<Int>
  ) -> (column: String, bounds: QueryRange<Int64>) {
    let plain = QueryRange(from: range.lower.map { Int64($0) }, to: range.upper.map { Int64($0) })
    switch field {
    case .year: return ("track.year", plain)
    case .track: return ("track.number", plain)
    case .disc: return ("track.disc", plain)
    case .rate: return ("track.rate", plain)
    case .bits: return ("track.bits", plain)
    case .channels: return ("track.channels", plain)
    case .duration:
      return (
        "track.duration",
        QueryRange(
          from: plain.lower.map { milliseconds($0) },
          to: plain.upper.map { second in
            let (end, overflow) = milliseconds(second).addingReportingOverflow(999)
            return overflow ? .max : end
          })
      )
    }
  }

  /// The index of a column, if it has one.
  static func index(of column: String) -> String? {
    switch column {
    case "track.year": "track_year"
    case "track.duration": "track_duration"
    case "track.added": "track_added"
    default: nil
    }
  }

  private static func milliseconds(_ seconds: Int64) -> Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds < 0 ? .min : .max) : product
  }
}
