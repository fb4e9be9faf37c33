import Foundation
import TributaryConcurrency

/// The patterns of LIKE and MATCHES.
package enum TextPattern {
    private enum Wildcard: Equatable {
        case any
        case one
        case scalar(Unicode.Scalar)
    }

    /// Whether the whole text matches a pattern: `*` is any text, `?` one Unicode scalar, `\` an escape.
    static func isLike(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.unicodeScalars)
        let pattern = wildcards(pattern)
        var (index, step) = (0, 0)
        var retry: (index: Int, step: Int)?
        while index < text.count {
            if step < pattern.count, pattern[step] == .any {
                retry = (index, step + 1)
                step += 1
            } else if step < pattern.count, pattern[step] == .one || pattern[step] == .scalar(text[index]) {
                index += 1
                step += 1
            } else if let last = retry {
                // The last `*` matches one more scalar.
                retry = (last.index + 1, last.step)
                (index, step) = (last.index + 1, last.step)
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

    /// Whether the whole text matches a regular expression.
    package static func matches(_ text: String, _ pattern: String, folding: FilterOptions) throws(FilterError) -> Bool {
        // The expression itself ignores case, because folding the pattern would change \W to \w.
        let marks = folding.intersection(.diacriticInsensitive)
        let text = TextFold.fold(text, options: marks)
        let expression = try expression(
            TextFold.fold(pattern, options: marks), ignoresCase: folding.contains(.caseInsensitive))
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    /// A cache of compiled expressions; emptied when full.
    ///
    /// The keys are bytes, because Swift considers "é" as one scalar and as two equal, but the expressions differ.
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
        // An empty pattern matches the empty text, although NSRegularExpression refuses it alone.
        if pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil {
            // A comment or a quotation that is open at the end of the pattern is closed before the anchor.
            for end in [")\\z", "\n)\\z", "\\E)\\z"] {
                if let made = try? NSRegularExpression(pattern: "\\A(?:\(pattern)\(end)", options: options) {
                    return made
                }
            }
        }
        throw FilterError(.pattern, "\(pattern.quotedForFilter) is not a regular expression")
    }
}
