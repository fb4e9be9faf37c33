import Foundation
import TributaryJSON

/// How figures of a profile are said.
package struct ProfileWords {
    /// Whether nothing of the values themselves is shown.
    package let hidesValues: Bool
    /// The number of common values that are shown.
    package let top: Int

    /// Words that show values or none, and the most common ones up to `top`.
    package init(hidesValues: Bool, top: Int) { (self.hidesValues, self.top) = (hidesValues, top) }

    /// The number of different values, after `~` if it is an estimate.
    package static func different(_ values: LowestHashes) -> String {
        guard !values.isExact else { return FigureText.grouped(values.estimate) }
        // Three digits are what the error leaves.
        let estimate = values.estimate
        let unit = Int(pow(10, Double(max(0, String(estimate).count - 3))))
        return "~" + FigureText.grouped((estimate + unit / 2) / unit * unit)
    }

    /// A number with the four digits that matter.
    package static func short(_ number: Double) -> String {
        guard abs(number) >= 1000, abs(number) < 1e15 else { return String(format: "%.4g", number) }
        let unit = pow(10, Double(Int(log10(abs(number))) - 3))
        return grouped("\(Int(((number / unit).rounded() * unit).rounded()))")
    }

    /// A number as it is written, with its digits in groups.
    package static func grouped(_ literal: String) -> String {
        guard let number = Int(literal) else { return literal }
        return (number < 0 ? "-" : "") + FigureText.grouped(Int(clamping: number.magnitude))
    }

    /// The kinds of values in words: `integer`, `text`, `texts` in an array.
    package static func kind(_ row: ProfileRow) -> String {
        let isList = row.arrays != nil
        let type = row.profile.type
        guard type == .mixed else { return isList ? plural(type) : word(type) }
        return kinds(row.profile).enumerated().map { index, kind in
            index == 0 ? kind.word : "\(kind.word) ×\(FigureText.grouped(kind.found.count))"
        }.joined(separator: ", ")
    }

    /// The kinds of values in words with their occurrences, the most frequent one first.
    package static func kinds(_ profile: PathProfile) -> [(word: String, found: PathProfile.Occurrence)] {
        var kinds = profile.kinds.map { (word: word($0), found: profile[$0]) }
        // All numbers are of one kind, and so are true and false.
        for (one, other, both) in [("number", "integer", "number"), ("false", "true", "boolean")] {
            guard let first = kinds.firstIndex(where: { $0.word == one }),
                let second = kinds.firstIndex(where: { $0.word == other })
            else { continue }
            let places = [kinds[first].found.first, kinds[second].found.first].compactMap(\.self)
            kinds[first] = (
                both, .init(count: kinds[first].found.count + kinds[second].found.count, first: places.min())
            )
            kinds.remove(at: second)
        }
        return kinds.sorted { $0.found.count > $1.found.count }
    }

    private static func plural(_ type: FoundType) -> String {
        switch type {
        case .nothing: "empty"
        case .dictionary: "dictionaries"
        case .uuid, .url: word(type) + "s"
        case .integerText, .numberText: "texts"
        case .digits: "digits"
        case .hexadecimal: "hexadecimal"
        case .mixed: "mixed"
        default: word(type) + "s"
        }
    }

    private static func word(_ type: FoundType) -> String {
        switch type {
        case .nothing: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .epochSeconds, .epochMilliseconds: "epoch"
        case .number: "number"
        case .decimal: "decimal"
        case .text, .integerText, .numberText: "text"
        case .date: "date"
        case .dateTime: "moment"
        case .uuid: "UUID"
        case .url: "URL"
        case .email: "e-mail"
        case .ipAddress: "IP address"
        case .hexadecimal: "hexadecimal"
        case .digits: "digits"
        case .object: "object"
        case .dictionary: "dictionary"
        case .array: "array"
        case .mixed: "mixed"
        }
    }

    package static func word(_ kind: ValueKind) -> String {
        switch kind {
        case .null: "null"
        case .no: "false"
        case .yes: "true"
        case .integer: "integer"
        case .real: "number"
        case .text: "text"
        case .object: "object"
        case .array: "array"
        }
    }

    // MARK: Values

    /// The values of a row: their range, or the most common ones.
    package func values(_ row: ProfileRow) -> String {
        let profile = row.profile
        var parts: [String] = []
        switch profile.type {
        case .boolean:
            parts.append(
                "true \(FigureText.percent(profile[.yes].count, of: profile[.yes].count + profile[.no].count))")
        case .dictionary:
            if let keys = profile.keys {
                let samples =
                    hidesValues || keys.samples.isEmpty ? "" : ", as " + keys.samples.map(shown).joined(separator: ", ")
                parts.append("\(ProfileWords.different(keys.different)) keys" + samples)
            }
        default: break
        }
        if let values = profile.values { parts += self.values(values, profile) }
        if let sizes = row.arrays?.sizes ?? (profile.kinds == [.array] ? profile.sizes : nil) {
            parts.append(ProfileWords.sizes(sizes))
        }
        return parts.joined(separator: " · ")
    }

    private static func sizes(_ sizes: SizeProfile) -> String {
        let least = FigureText.grouped(sizes.least)
        return sizes.least == sizes.most ? "\(least) each" : "\(least)–\(FigureText.grouped(sizes.most)) each"
    }

    private func values(_ values: ValueProfile, _ profile: PathProfile) -> [String] {
        guard !hidesValues else { return lengths(values) }
        let common = values.common(top)
        // Values that are all different are not common.
        let isSet = values.different.isExact && values.different.estimate <= 64
        let hasCommon = isSet || common.first.map { $0.share >= 0.1 } ?? false
        if hasCommon, values.different.hasRepeats, profile.type != .date, profile.type != .dateTime,
            values.different.estimate > 1 || values.numbers == nil
        {
            let shown = common.prefix(top).map { item in
                "\(self.shown(item.value)) \(item.isExact ? "" : "~")\(ProfileWords.percent(item.share))"
            }
            let rest = values.different.isExact ? values.different.estimate - shown.count : 0
            return [shown.joined(separator: " · ") + (rest > 0 ? " · +\(rest)" : "")]
        }
        var parts: [String] = []
        if let numbers = values.numbers {
            let (low, high) = (ProfileWords.grouped(numbers.minimum), ProfileWords.grouped(numbers.maximum))
            parts.append(low == high ? low : "\(low) … \(high)")
        }
        if let texts = values.texts {
            if [.date, .dateTime, .digits, .integerText].contains(profile.type), let first = texts.first,
                let last = texts.last
            {
                parts.append(first == last ? shown(first) : "\(shown(first)) … \(shown(last))")
            } else {
                parts += lengths(values)
                if let example = values.sample.items.first { parts.append("as \(shown(example.value))") }
            }
        }
        return parts
    }

    /// A share in per cent.
    package static func percent(_ share: Double) -> String {
        share < 0.01 ? "<1 %" : share >= 0.995 && share < 1 ? ">99 %" : "\(Int((share * 100).rounded())) %"
    }

    private func lengths(_ values: ValueProfile) -> [String] {
        guard let texts = values.texts else { return [] }
        let (low, high) = (texts.shortest, texts.longest)
        return [
            low == high
                ? FigureText.counted(low, "character")
                : "\(FigureText.grouped(low))–\(FigureText.grouped(high)) characters"
        ]
    }

    private func shown(_ value: ValueText) -> String { ProfileWords.shown(value, 24) }

    /// A value with at most `count` characters.
    package static func shown(_ value: ValueText, _ count: Int) -> String {
        let text = Excerpt.escape(value.text)
        let short = text.count > count ? String(text.prefix(count - 1)) + "…" : value.isCut ? text + "…" : text
        return short.isEmpty ? "\"\"" : short
    }

    private func shown(_ text: String) -> String {
        let text = Excerpt.escape(text)
        return text.count > 24 ? String(text.prefix(23)) + "…" : text
    }
}
