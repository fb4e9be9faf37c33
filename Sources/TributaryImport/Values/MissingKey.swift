import TributaryJSON

/// Says which members a record has in place of a missing one.
package enum MissingKey {
    /// The error of a record, or an object inside of it, without the member `name` at the end of `path`.
    package static func error(_ name: String, _ path: [String], in object: JSON, _ record: Record) -> JSONError {
        let container = path.dropLast().reduce(object) { $0[$1] }
        record.clearFailure()
        var names: [String] = []
        for (member, _) in container.members where !names.contains(member) && names.count < 100 { names.append(member) }
        var error = JSONError(
            .keyMissing,
            path == [name]
                ? "found no member for the key \(name)"
                : "found nothing at .\(path.map { Excerpt.escape($0) }.joined(separator: ".")) for the key \(name)",
            hint: hint(path.last ?? name, names.map { Excerpt.escape($0) }), position: record.position)
        if !object.isRecord { error.path = object.failure(.keyMissing, "").path }
        return error
    }

    private static func hint(_ wanted: String, _ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
        let word = plain(wanted)
        let near =
            word.isEmpty
            ? nil
            : names.first { plain($0) == word }
                ?? names.first { plain($0).hasSuffix(word) || plain($0).hasPrefix(word) }
        return near.map { "it has \($0)" } ?? "it has \(names.shortList)"
    }
}
