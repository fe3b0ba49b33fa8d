// SPDX-License-Identifier: GPL-3.0-or-later

package enum ItemCount {
  /// Returns "no items", "1 item" or "5 items".
  package static func text(_ count: Int, _ noun: String = "item") -> String {
    count == 0 ? "no \(noun)s" : count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
