import Foundation
import Tributary

/// The options about inferred columns.
enum InferenceOptions {
    /// The settings that `parsed` states.
    static func inference(_ parsed: ParsedOptions) throws(UsageError) -> ColumnInference {
        var inference = ColumnInference()
        let ways = ColumnInference.Numbers.allCases.map(\.rawValue)
        if let numbers = try parsed.choice("--numbers", ways, { ColumnInference.Numbers(rawValue: $0) }) {
            inference.numbers = numbers
        }
        if let text = parsed.text("--types") { inference.types = try types(text) }
        return inference
    }

    /// The settings of a table that another program made.
    static func existing(_ parsed: ParsedOptions) throws(UsageError) -> ExistingTable {
        var existing = ExistingTable()
        existing.addsColumns = parsed.has("--add-columns")
        existing.appends = parsed.has("--append")
        existing.rest = parsed.text("--rest")
        if existing.rest == "" { throw UsageError("Option '--rest' takes the name of a column") }
        if existing.appends, parsed.has("--key") {
            throw UsageError("'--append' and '--key' cannot be used together: with a key, rows are updated")
        }
        return existing
    }

    /// The types of columns: `id=text,price=real`, or the name of a file with one of them a line.
    private static func types(_ text: String) throws(UsageError) -> [String: ColumnInference.ColumnType] {
        var parts = text.split(separator: ",").map(String.init)
        if !text.contains("=") {
            guard let data = FileManager.default.contents(atPath: text) else {
                throw UsageError("Option '--types' takes NAME=TYPE or a file, and there is no file '\(text)'")
            }
            parts = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        var types: [String: ColumnInference.ColumnType] = [:]
        let known = ColumnInference.ColumnType.allCases.map(\.rawValue)
        for part in parts {
            guard let sign = part.lastIndex(of: "="), sign > part.startIndex else {
                throw UsageError("Option '--types' takes NAME=TYPE, not '\(part)'")
            }
            let name = String(part[..<sign])
            let word = String(part[part.index(after: sign)...])
            guard let type = ColumnInference.ColumnType(rawValue: word.lowercased()) else {
                let hint = Suggestion.hint(for: word, among: known)
                throw UsageError("Option '--types' takes \(known.joined(separator: ", ")), not '\(word)'\(hint)")
            }
            guard types.updateValue(type, forKey: name) == nil else {
                throw UsageError("Option '--types' names '\(name)' twice")
            }
        }
        return types
    }
}
