import Foundation

/// Figures as text for people.
package enum FigureText {
    /// A number with its digits in groups, as in `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        let text = digits.enumerated().reduce(into: "") { text, item in
            if item.offset > 0, (digits.count - item.offset) % 3 == 0 { text += "," }
            text.append(item.element)
        }
        return number < 0 ? "-" + text : text
    }

    /// A number with its noun, as in `1 record` or `1,000 records`.
    package static func counted(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
    }

    /// A duration as text, as in `4 s`, `2:05 min`, `1:10 h`.
    package static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e12)).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60):\(two(whole % 60)) min" }
        return "\(whole / 3600):\(two(whole % 3600 / 60)) h"
    }

    /// A number of bytes as text, as in `12 kB` or `3 MB`.
    package static func size(_ bytes: Double) -> String {
        bytes < 1e6 ? "\(Int(bytes / 1e3)) kB" : "\(Int(bytes / 1e6)) MB"
    }

    /// A share in per cent, which is 100 or 0 only if all or none are meant.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        if part == whole { return "100 %" }
        if part == 0 { return "0 %" }
        let share = Double(part) / Double(whole) * 100
        if share < 1 { return "<1 %" }
        if share > 99 { return share >= 99.95 ? ">99.9 %" : String(format: "%.1f %%", share) }
        return "\(Int(share.rounded())) %"
    }
}
