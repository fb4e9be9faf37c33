import Foundation
import TributaryConcurrency

/// The patterns of LIKE and MATCHES.
package enum TextPattern {
    private enum Wildcard: Equatable {
        case any
        case one
        case scalar(Unicode.Scalar)
    }

    /// Whether all of `text` fits: `*` is any run, `?` one character (Unicode scalar), a backslash takes what follows
    /// as it is.
    static func isLike(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.unicodeScalars)
        let pattern = wildcards(pattern)
        var (place, step) = (0, 0)
        var retry: (place: Int, step: Int)?
        while place < text.count {
            if step < pattern.count, pattern[step] == .any {
                retry = (place, step + 1)
                step += 1
            } else if step < pattern.count, pattern[step] == .one || pattern[step] == .scalar(text[place]) {
                place += 1
                step += 1
            } else if let last = retry {
                // The last run takes one character more.
                retry = (last.place + 1, last.step)
                (place, step) = (last.place + 1, last.step)
            } else {
                return false
            }
        }
        return pattern[step...].allSatisfy { $0 == .any }
    }

    private static func wildcards(_ pattern: String) -> [Wildcard] {
        var wildcards: [Wildcard] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                wildcards.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": wildcards.append(.any)
            case "?": wildcards.append(.one)
            default: wildcards.append(.scalar(scalar))
            }
        }
        if isEscaped { wildcards.append(.scalar("\\")) }
        return wildcards
    }

    /// Whether all of `text` fits a regular expression.
    package static func matches(_ text: String, _ pattern: String, folding: FilterOptions) throws(FilterError) -> Bool {
        // Case is left to the expression, for folding would turn \W into \w.
        let marks = folding.intersection(.diacriticInsensitive)
        let text = TextFold.fold(text, options: marks)
        let expression = try expression(
            TextFold.fold(pattern, options: marks), ignoresCase: folding.contains(.caseInsensitive))
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    /// Expressions that were used before; emptied when full.
    ///
    /// Texts that Swift holds equal are not one expression: "é" may be one scalar or two.
    private static let cache = Guarded<[[UInt8]: NSRegularExpression]>([:])

    private static func expression(_ pattern: String, ignoresCase: Bool) throws(FilterError) -> NSRegularExpression {
        let name = Array((ignoresCase ? "c" : "-").utf8) + pattern.utf8
        if let known = cache.withLock({ $0[name] }) { return known }
        let made = try compile(pattern, options: ignoresCase ? .caseInsensitive : [])
        return cache.withLock { cache in
            if cache.count >= 64 { cache.removeAll() }
            cache[name] = made
            return made
        }
    }

    private static func compile(
        _ pattern: String, options: NSRegularExpression.Options
    ) throws(FilterError) -> NSRegularExpression {
        // Alone an empty pattern is refused, though the empty text fits it.
        if pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil {
            // A comment or a quotation in the pattern may run to its end; it is closed before the anchor.
            for end in [")\\z", "\n)\\z", "\\E)\\z"] {
                if let made = try? NSRegularExpression(pattern: "\\A(?:\(pattern)\(end)", options: options) {
                    return made
                }
            }
        }
        throw FilterError(.pattern, "\(pattern.quotedForFilter) is not a regular expression")
    }
}
