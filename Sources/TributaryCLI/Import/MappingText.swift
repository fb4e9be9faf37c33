package import Tributary
import TributaryJSON

/// What became of members that a mapping does not name, or whose values do not fit, as text and as JSON.
package enum MappingText {
    /// One line for each kind of finding; none if every member has a property.
    package static func lines(_ reports: [String: MappingReport]?) -> [String] {
        let reports = (reports ?? [:]).sorted { $0.key < $1.key }
        func counted(_ counts: KeyPath<MappingReport, [String: Int]>, _ noun: String) -> [String] {
            reports.flatMap { entity, report in
                // The most frequent ones first.
                report[keyPath: counts].sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                    let name = reports.count > 1 ? "\(entity).\($0.key)" : $0.key
                    return "\(Excerpt.escape(name)) (\(Progress.grouped($0.value)) \(noun)\($0.value == 1 ? "" : "s"))"
                }
            }
        }
        var lines: [String] = []
        let unknown = counted(\.unknown, "record")
        if !unknown.isEmpty {
            lines.append("not imported, as no property has them: \(unknown.shortList); --print-map shows the mapping")
        }
        let ambiguous = counted(\.ambiguous, "record")
        if !ambiguous.isEmpty {
            lines.append("two members for one property, of which the exact name counts: \(ambiguous.shortList)")
        }
        let unfit = counted(\.unfit, "value")
        if !unfit.isEmpty { lines.append("values that do not fit, and were not taken: \(unfit.shortList)") }
        return lines
    }

    /// The findings as a JSON object by entity.
    static func json(_ reports: [String: MappingReport]?) -> [UInt8] {
        func object(_ counts: [String: Int]) -> [UInt8] {
            var writer = JSONLineWriter()
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.add(name, count) }
            return Array(writer.finish().dropLast())
        }
        var writer = JSONLineWriter()
        for (entity, report) in (reports ?? [:]).sorted(by: { $0.key < $1.key }) {
            var parts = JSONLineWriter()
            parts.add("unknown", json: object(report.unknown))
            if report.otherUnknown > 0 { parts.add("otherUnknown", report.otherUnknown) }
            parts.add("ambiguous", json: object(report.ambiguous))
            parts.add("unfit", json: object(report.unfit))
            writer.add(entity, json: Array(parts.finish().dropLast()))
        }
        return Array(writer.finish().dropLast())
    }
}
