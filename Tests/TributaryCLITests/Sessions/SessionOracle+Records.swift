import TributarySQLite

/// What a record must do to the rows.
extension SessionOracle {
    /// The outcome of a record, or of a damaged part.
    enum Outcome { case inserted, updated, unchanged, duplicate, skipped, rejected }

    /// Writes a record; returns its outcome.
    mutating func write(
        _ item: SessionFeed.Item, _ table: Int, mode: String, _ rules: SessionRules = SessionRules(),
        seen: inout [Int: Set<Int>]
    ) -> Outcome {
        guard case .record(let members) = item else { return .rejected }
        let definition = definitions[table]
        guard let values = rules.apply(to: columns(members, table, &seen)) else { return .rejected }
        if definition.key.isEmpty {
            seen[table, default: []].insert(insert(values, table))
            return .inserted
        }
        guard let key = key(values, table) else { return .rejected }
        let found = position(key, table)
        if let found { seen[table, default: []].insert(tables[table].rows[found].number) }
        if definition.maker == .model, definition.refuses(values) { return .rejected }
        guard let position = found else {
            if mode == "update" { return .skipped }
            let filled = values.merging(definition.defaults.merging(rules.defaults) { $1 }) { value, _ in value }
            if !accepts(filled, table, besides: nil) { return .rejected }
            seen[table, default: []].insert(insert(filled, table))
            return .inserted
        }
        let row = tables[table].rows[position]
        if mode == "insert" { return .duplicate }
        if mode == "ignore" { return .skipped }
        var changed = row.values
        if mode == "replace" { changed = changed.filter { definition.key.contains($0.key) } }
        for (name, value) in values where !definition.key.contains(name) { changed[name] = value }
        if mode == "replace" { changed.merge(rules.defaults) { value, _ in value } }
        if SessionOracle.isEqual(changed, row.values) { return .unchanged }
        if !accepts(changed, table, besides: row.number) { return .rejected }
        update(position, to: changed, table)
        return .updated
    }

    /// The values of the columns that the members of a record have.
    private mutating func columns(
        _ members: [SessionFeed.Member], _ table: Int, _ seen: inout [Int: Set<Int>]
    ) -> [String: SessionValue] {
        let definition = definitions[table]
        var values: [String: SessionValue] = [:]
        if definition.maker == .model {
            for member in members where definition.columns.contains(member.name) || member.name == "label" {
                switch (member.name, version) {
                case ("name", 2), ("label", 1), ("tag", 1): break
                case ("label", _): values["name"] = member.value
                default: values[member.name] = member.value
                }
            }
            return values
        }
        switch definition.shape {
        case .plain:
            for member in members where !definition.isForeign || definition.columns.contains(member.name) {
                values[member.name] = member.value
            }
        case .growing: for member in members { values[member.name] = member.value }
        case .rest(let column):
            let others = members.filter { !definition.columns.contains($0.name) }
            for member in members where definition.columns.contains(member.name) { values[member.name] = member.value }
            if !others.isEmpty { values[column] = .text(SessionValue.json(others.map { ($0.name, $0.value) })) }
        case .flat: for member in members { SessionOracle.flatten(member.name, member.value, &values) }
        case .related(let one, let many):
            for member in members {
                let elements =
                    switch member.value {
                    case .object where member.name == one: [member.value]
                    case .list(let elements) where member.name == many: elements
                    default: [SessionValue]()
                    }
                let keys = elements.map { writeRelated($0, member.name, &seen) }
                values[member.name] =
                    switch member.name {
                    case one: keys.first ?? .null
                    case many: keys.isEmpty ? .null : .list(keys.uniqued)
                    default: member.value
                    }
            }
        }
        return values
    }

    private static func flatten(_ name: String, _ value: SessionValue, _ values: inout [String: SessionValue]) {
        guard case .object(let members) = value, !members.isEmpty else {
            values[name] = value
            return
        }
        for (member, value) in members { flatten("\(name)_\(member)", value, &values) }
    }

    /// Writes an object inside of a record; returns its key.
    private mutating func writeRelated(
        _ value: SessionValue, _ name: String, _ seen: inout [Int: Set<Int>]
    ) -> SessionValue {
        guard case .object(let members) = value, let table = definitions.firstIndex(where: { $0.name == name })
        else { return .null }
        let record = members.map { SessionFeed.Member(name: $0.key, value: $0.value) }
        let outcome = write(.record(record), table, mode: "upsert", seen: &seen)
        related[name, default: SessionCounts()].add(outcome)
        return members["id"] ?? .null
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in the order of their first appearance.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
