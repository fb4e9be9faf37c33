package import Tributary
import TributaryJSON

/// What became of values that inferred columns could not store as they are, as text and as JSON.
package enum InferenceText {
    /// One line for each kind of finding; none if every value is stored as it is.
    ///
    /// Columns of a table that another program made cannot keep rounded numbers as text. The columns
    /// `reported` are known to stay JSON already.
    package static func lines(
        _ reports: [String: InferenceReport]?, isForeign: Bool = false, offersRelations: Bool = true,
        reported: Set<String> = []
    ) -> [String] {
        let reports = (reports ?? [:]).sorted { $0.key < $1.key }
        func name(_ entity: String, _ column: String) -> String {
            reports.count > 1 ? "\(entity).\(column)" : column
        }
        func counted(_ counts: KeyPath<InferenceReport, [String: Int]>) -> String {
            reports.flatMap { entity, report in
                report[keyPath: counts].sorted { $0.key < $1.key }.map {
                    "\(name(entity, $0.key)) (\(values($0.value)))"
                }
            }.shortList
        }
        var lines: [String] = []
        let rounded = counted(\.rounded)
        if !rounded.isEmpty {
            lines.append("rounded to doubles: \(rounded)" + (isForeign ? "" : "; --numbers exact keeps them as text"))
        }
        let digits = counted(\.digits)
        if !digits.isEmpty { lines.append("numbers kept as text: \(digits); 64 bits and doubles do not hold them") }
        let mixed = reports.flatMap { entity, report in report.mixed.map { name(entity, $0) } }.shortList
        if !mixed.isEmpty { lines.append("columns without a type, for values of several kinds: \(mixed)") }
        let widened = reports.flatMap { entity, report in
            (report.widened ?? [:]).sorted { $0.key < $1.key }.map { "\(name(entity, $0.key)) (\($0.value))" }
        }
        if !widened.isEmpty { lines.append("columns whose declared type has changed: \(widened.shortList)") }
        let renamed = reports.flatMap { entity, report in
            (report.renamed ?? [:]).sorted { $0.key < $1.key }.map {
                "\(Excerpt.escape(name(entity, $0.key))) for \($0.value.isEmpty ? "''" : Excerpt.escape($0.value))"
            }
        }
        if !renamed.isEmpty { lines.append("columns with other names than their members: \(renamed.shortList)") }
        func members(_ isWanted: (InferenceReport.Rest.Reason) -> Bool) -> [String] {
            reports.flatMap { entity, report in
                report.rest.sorted { $0.key < $1.key }.filter { isWanted($0.value.reason) }.map {
                    "\($0.key.isEmpty ? "''" : Excerpt.escape(name(entity, $0.key))) (\(values($0.value.count)): \(words($0.value.reason)))"
                }
            }
        }
        let generated = members { $0 == .generated }
        if !generated.isEmpty { lines.append("not stored: \(generated.shortList)") }
        let other = members { $0 == .noColumn }
        if !other.isEmpty { lines.append("stored as JSON: \(other.shortList)") }
        let rest = members { $0 != .generated && $0 != .noColumn }
        if !rest.isEmpty {
            lines.append("in the column _rest: \(rest.shortList)")
        }
        let objects = reports.flatMap { entity, report in
            (report.objects ?? []).subtracting(reported).sorted().map { Excerpt.escape(name(entity, $0)) }
        }
        if !objects.isEmpty {
            let verb = objects.count == 1 ? "has" : "have"
            let offer = offersRelations ? "; --relations makes tables of them" : ""
            lines.append("\(objects.shortList) \(verb) objects with an id, stored as JSON\(offer)")
        }
        return lines
    }

    private static func values(_ count: Int) -> String {
        count == 1 ? "1 value" : "\(Progress.grouped(count)) values"
    }

    private static func words(_ reason: InferenceReport.Rest.Reason) -> String {
        switch reason {
        case .letterCase: "its name differs from a column only in case"
        case .columnLimit: "there are too many columns"
        case .name: "its name cannot be that of a column"
        case .noColumn: "the table has no column for it"
        case .generated: "its column is computed"
        case .keyColumn: "the key has its column"
        case .flattened: "another member of its record has the column"
        case .sourceColumn: "the name of the source has its column"
        }
    }

    /// The findings as a JSON object by entity.
    static func json(_ reports: [String: InferenceReport]?) -> [UInt8] {
        var object = JSONLineWriter()
        for (entity, report) in (reports ?? [:]).sorted(by: { $0.key < $1.key }) {
            var writer = JSONLineWriter()
            writer.add("rounded", json: counts(report.rounded))
            writer.add("digits", json: counts(report.digits))
            writer.add("mixed", json: list(report.mixed))
            var widened = JSONLineWriter()
            for (name, types) in (report.widened ?? [:]).sorted(by: { $0.key < $1.key }) { widened.add(name, types) }
            writer.add("widened", json: widened.finish().dropLast())
            var rest = JSONLineWriter()
            for (name, value) in report.rest.sorted(by: { $0.key < $1.key }) {
                var inner = JSONLineWriter()
                inner.add("count", value.count)
                inner.add("reason", value.reason.rawValue)
                rest.add(name, json: inner.finish().dropLast())
            }
            writer.add("rest", json: rest.finish().dropLast())
            var renamed = JSONLineWriter()
            for (column, member) in (report.renamed ?? [:]).sorted(by: { $0.key < $1.key }) {
                renamed.add(column, member)
            }
            writer.add("renamed", json: renamed.finish().dropLast())
            writer.add("objects", json: list((report.objects ?? []).sorted()))
            object.add(entity, json: writer.finish().dropLast())
        }
        return Array(object.finish().dropLast())
    }

    private static func counts(_ counts: [String: Int]) -> [UInt8] {
        var writer = JSONLineWriter()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { writer.add(name, count) }
        return Array(writer.finish().dropLast())
    }

    private static func list(_ names: [String]) -> [UInt8] {
        [UInt8(ascii: "[")] + names.map(JSONLineWriter.quoted).joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: "]")]
    }
}
