package import TributaryImport

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
        /// The columns of all reports in the order of their names, with words about each.
        func columns<Value>(
            _ columns: (InferenceReport) -> [String: Value]?, _ words: (String, Value) -> String
        ) -> [String] {
            reports.flatMap { entity, report in
                (columns(report) ?? [:]).sorted { $0.key < $1.key }.map { words(name(entity, $0.key), $0.value) }
            }
        }
        var lines: [String] = []
        /// Adds a line about columns, unless there are none.
        func add(_ start: String, _ columns: [String], _ end: String = "") {
            if !columns.isEmpty { lines.append("\(start): \(columns.shortList)\(end)") }
        }
        let rounded = columns(\.rounded) { "\($0) (\(values($1)))" }
        add("rounded to doubles", rounded, isForeign ? "" : "; --numbers exact keeps them as text")
        let digits = columns(\.digits) { "\($0) (\(values($1)))" }
        add("numbers kept as text", digits, "; 64 bits and doubles do not hold them")
        let mixed = reports.flatMap { entity, report in report.mixed.map { name(entity, $0) } }
        add("columns without a type, for values of several kinds", mixed)
        add("columns whose declared type has changed", columns(\.widened) { "\($0) (\($1))" })
        let renamed = columns(\.renamed) {
            "\(Excerpt.escape($0)) for \($1.isEmpty ? "''" : Excerpt.escape($1))"
        }
        add("columns with other names than their members", renamed)
        func members(_ isWanted: (InferenceReport.Rest.Reason) -> Bool) -> [String] {
            reports.flatMap { entity, report in
                report.rest.sorted { $0.key < $1.key }.filter { isWanted($0.value.reason) }.map {
                    "\($0.key.isEmpty ? "''" : Excerpt.escape(name(entity, $0.key))) (\(values($0.value.count)): \(words($0.value.reason)))"
                }
            }
        }
        add("not stored", members { $0 == .generated })
        add("stored as JSON", members { $0 == .noColumn })
        add("in the column _rest", members { $0 != .generated && $0 != .noColumn })
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

    private static func values(_ count: Int) -> String { FigureText.counted(count, "value") }

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

    /// Adds the findings as an object by entity.
    static func add(_ reports: [String: InferenceReport]?, to writer: inout JSONLineWriter) {
        writer.add("inferred", of: reports) { object, entity, report in
            object.add(entity) { parts in
                parts.add("rounded", report.rounded)
                parts.add("digits", report.digits)
                parts.add("mixed", report.mixed)
                parts.add("widened", of: report.widened) { $0.add($1, $2) }
                parts.add("rest", of: report.rest) { rest, name, value in
                    rest.add(name) {
                        $0.add("count", value.count)
                        $0.add("reason", value.reason.rawValue)
                    }
                }
                parts.add("renamed", of: report.renamed) { $0.add($1, $2) }
                parts.add("objects", (report.objects ?? []).sorted())
            }
        }
    }
}
