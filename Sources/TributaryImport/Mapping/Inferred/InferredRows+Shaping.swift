import TributaryStore
import TributaryJSON

/// Rows whose columns are not the members of a record as they are.
extension InferredRows {
    /// Stands for the name of the source among the places of values.
    static let sourcePlace = -2

    /// The last column with a value, and the members without a column.
    struct Placement {
        var last = -1
        var rest: [(name: String, value: JSON)] = []
    }

    /// Finds the places of the values of a record by its column.
    func place(_ record: Record, _ members: RawMembers, _ shaping: ColumnShaping, _ found: inout Placement) {
        if let wanted = shaping.columns {
            for (index, selection) in wanted.enumerated() {
                let value = selection.path.reduce(record.value) { $0[$1] }
                record.clearFailure()
                guard value.kind != .missing else { continue }
                matchedPaths[index] = true
                place(value, selection.name, members, &found)
            }
            guard columns.columns.fixed?.rest != nil else { return }
            let chosen = Set(wanted.map(\.path) + key.map(\.path))
            for (name, value) in record.value.members where !chosen.contains([name]) {
                found.rest.append((name, value))
                report.addRest(name, columns.columns.reason(for: name))
            }
        } else {
            place(record.value.members, prefix: "", members, shaping, &found)
        }
    }

    private func place(
        _ inner: JSON.Members, prefix: String, _ members: RawMembers, _ shaping: ColumnShaping,
        _ found: inout Placement
    ) {
        for (key, value) in inner {
            let name = prefix + key
            if let separator = shaping.flatten, value.kind == .object, value.members.first(where: { _ in true }) != nil,
                !(shaping.unwrapsExtendedJSON && ExtendedJSON.plain(value) != nil)
            {
                place(value.members, prefix: name + separator, members, shaping, &found)
            } else {
                place(value, name, members, &found)
            }
        }
    }

    private func place(_ value: JSON, _ name: String, _ members: RawMembers, _ found: inout Placement) {
        guard let column = columns.columns.index(of: name) else {
            found.rest.append((name, value))
            return report.addRest(name, columns.columns.reason(for: name))
        }
        addPlaces(columns.columns.names.count)
        if shaping?.flatten != nil, places[column] >= 0 {
            found.rest.append((name, value))
            return report.addRest(name, isFixed ? .noColumn : .flattened)
        }
        // Of members with one name the last one counts, as elsewhere.
        places[column] = members.place(of: value)
        found.last = max(found.last, column)
    }

    /// Gives the column for the name of the source its place; a member of that name goes into the rest.
    func placeSource(_ name: String, _ members: RawMembers, _ found: inout Placement) {
        guard let column = columns.columns.index(of: name) else { return }
        addPlaces(columns.columns.names.count)
        if places[column] >= 0 {
            found.rest.append((name, members.value(places[column])))
            report.addRest(name, isFixed ? .noColumn : .sourceColumn)
        }
        places[column] = InferredRows.sourcePlace
        found.last = max(found.last, column)
    }

    /// Whether the value of a key is all that the member with the name of its column has, as in `{"$oid": …}`.
    func isWrapped(_ value: JSON, in place: Int, _ members: RawMembers) -> Bool {
        if members.place(of: value) == place { return true }
        let outer = members.value(place)
        guard outer.kind == .object else { return false }
        var inner = outer.members.makeIterator()
        guard let only = inner.next(), inner.next() == nil else { return false }
        return only.key.hasPrefix("$") && members.place(of: only.value) == members.place(of: value)
    }

    /// Whether typed values of Extended JSON become plain ones.
    var unwraps: Bool { shaping?.unwrapsExtendedJSON ?? true }
}
