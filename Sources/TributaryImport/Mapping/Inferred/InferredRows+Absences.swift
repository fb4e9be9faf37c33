import TributaryStore
import TributaryJSON

/// Columns of which a record may have no value.
extension InferredRows {
    /// A column that has a default or needs a value.
    struct Absence {
        let name: String
        /// The kind of the default; nil if there is none.
        let defaultKind: ValueKinds?
        let needsValue: Bool
    }

    /// The columns with a rule about records without a value, by their names.
    static func absences(of maker: InferredRowMaker) -> [Absence] {
        (maker.inference.shaping?.rules ?? [:]).sorted { $0.key < $1.key }.compactMap {
            (name, rule) -> Absence? in
            guard rule.needsValue || rule.defaultValue != nil else { return nil }
            let kind = maker.defaults[name.lowercasedASCII]?.kind
            return Absence(name: name, defaultKind: kind, needsValue: rule.needsValue)
        }
    }

    /// Notes the defaults that a new row gets, and why the record is rejected if it lacks a value that it needs.
    func checkAbsences(_ members: RawMembers) {
        for absence in absences {
            if let kind = absence.defaultKind {
                guard let column = columns.columns.index(of: absence.name) else {
                    refusal = JSONError(
                        .storeValue, "the table can have no column \(absence.name) for its default",
                        hint: "import fewer columns, or leave the default out")
                    continue
                }
                addPlaces(column + 1)
                if places[column] == -1 {
                    note(kind, column)
                    continue
                }
            }
            guard absence.needsValue, refusal == nil else { continue }
            let column = columns.columns.knownIndex(of: absence.name)
            let place = column.flatMap { $0 < places.count ? places[$0] : nil } ?? -1
            if place == InferredRows.sourcePlace || place >= 0 && !isNull(members.value(place)) { continue }
            refusal = JSONError(
                .validateRequired, "\(absence.name) needs a value, and is \(place >= 0 ? "null" : "missing")",
                hint: "add it in the source, or give it a default")
        }
    }
}
