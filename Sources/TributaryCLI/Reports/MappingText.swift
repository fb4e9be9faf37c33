package import TributaryImport

/// What became of members that a mapping does not name, or whose values do not fit, as text and as JSON.
package enum MappingText {
    /// One line for each kind of finding; none if every member has a property.
    package static func lines(_ reports: [String: MappingReport]?) -> [String] {
        let reports = (reports ?? [:]).sorted { $0.key < $1.key }
        var lines: [String] = []
        func add(_ start: String, _ counts: KeyPath<MappingReport, [String: Int]>, _ noun: String, _ end: String = "") {
            let members = reports.flatMap { entity, report in
                // The most frequent ones first.
                report[keyPath: counts].sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                    let name = reports.count > 1 ? "\(entity).\($0.key)" : $0.key
                    return "\(Excerpt.escape(name)) (\(FigureText.counted($0.value, noun)))"
                }
            }
            if !members.isEmpty { lines.append("\(start): \(members.shortList)\(end)") }
        }
        add("not imported, as no property has them", \.unknown, "record", "; --print-map shows the mapping")
        add("two members for one property, of which the exact name counts", \.ambiguous, "record")
        add("values that do not fit, and were not taken", \.unfit, "value")
        return lines
    }

    /// Adds the findings as an object by entity.
    static func add(_ reports: [String: MappingReport]?, to writer: inout JSONLineWriter) {
        writer.add("mapping", of: reports) { object, entity, report in
            object.add(entity) { parts in
                parts.add("unknown", report.unknown)
                if report.otherUnknown > 0 { parts.add("otherUnknown", report.otherUnknown) }
                parts.add("ambiguous", report.ambiguous)
                parts.add("unfit", report.unfit)
            }
        }
    }
}
