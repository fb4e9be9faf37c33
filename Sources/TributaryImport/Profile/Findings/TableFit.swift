import TributaryJSON

/// Profiles of a dump and of a table that can be compared, although a table does not keep all that a dump tells.
///
/// What a record lacks is null in its row, members of flattened objects are columns, true and false are 1 and 0 in a column
/// whose type was inferred, a decimal may be rounded, and linked objects are in tables of their own.
package struct TableFit {
    /// The profile of the table.
    package private(set) var table: DumpProfile
    /// The profile of the dump.
    package private(set) var dump: DumpProfile

    /// Fits both profiles to each other; `members` are those of the columns, if they are known.
    package init(table: DumpProfile, dump: DumpProfile, _ members: ColumnMembers? = nil) {
        (self.table, self.dump) = (table, dump)
        renameMembers(members?.attributes ?? [])
        self.dump.records = TableFit.flattened(self.dump.records, like: table.records)
        for name in members?.links ?? [] { removeLinks(name) }
        let typed = Set(members?.attributes.map { PathProfile.Step.member($0.name) } ?? [])
        let booleans = Set(self.dump.records.children.filter(\.hasBooleans).map(\.step))
        TableFit.fit(&self.table.records, typed, booleans)
        TableFit.fit(&self.dump.records, typed, booleans)
    }

    /// Makes the members of records those that a row can tell.
    private static func fit(
        _ records: inout PathProfile, _ typed: Set<PathProfile.Step>, _ booleans: Set<PathProfile.Step>
    ) {
        removeEmpty(in: &records)
        for index in records.children.indices {
            if typed.contains(records.children[index].step) {
                hideValues(&records.children[index])
            } else {
                round(&records.children[index])
                if booleans.contains(records.children[index].step) { countBooleans(&records.children[index]) }
            }
        }
    }

    /// Gives values of the dump the names of their columns.
    private mutating func renameMembers(_ attributes: [(name: String, paths: [[String]])]) {
        let columns = Set(table.records.children.compactMap(\.step.memberName))
        let known = Set(dump.records.children.compactMap(\.step.memberName))
        var moved: Set<PathProfile.Step> = []
        for (name, paths) in attributes where columns.contains(name) && !known.contains(name) {
            let steps = paths.map { path in path.map { PathProfile.Step.member($0) } }
            guard let path = steps.first(where: { dump.records[path: $0[...]] != nil }),
                var column = dump.records[path: path[...]]
            else { continue }
            column.step = .member(name)
            dump.records.children.append(column)
            if case .member(let outer) = path[0], !columns.contains(outer) { moved.insert(path[0]) }
        }
        dump.records.children.removeAll { moved.contains($0.step) }
    }

    /// Removes a relationship, unless the dump has nothing but keys there.
    private mutating func removeLinks(_ name: String) {
        let step = PathProfile.Step.member(name)
        if let found = dump.records.children.first(where: { $0.step == step }),
            found[.object].count + found[.array].count == 0
        {
            return
        }
        table.records.children.removeAll { $0.step == step }
        dump.records.children.removeAll { $0.step == step }
    }

    /// Removes the paths with nothing but null.
    private static func removeEmpty(in path: inout PathProfile) {
        path.children.removeAll { $0.kinds.isEmpty && $0.children.isEmpty }
        for index in path.children.indices { removeEmpty(in: &path.children[index]) }
    }

    /// Leaves only the number of values, which an attribute has converted to its type.
    private static func hideValues(_ path: inout PathProfile) {
        var hidden = PathProfile(path.step)
        let first = ValueKind.allCases.filter { $0 != .null }.compactMap { path[$0].first }.min()
        hidden[.text] = .init(count: path.count - path[.null].count, first: first)
        path = hidden
    }

    /// Makes booleans whole numbers, as which a column has them whose type was inferred.
    private static func countBooleans(_ path: inout PathProfile) {
        let count = path[.no].count + path[.yes].count
        let first = [path[.no].first, path[.yes].first, path[.integer].first].compactMap(\.self).min()
        path[.integer] = .init(count: path[.integer].count + count, first: first)
        (path[.no], path[.yes]) = (.init(), .init())
        path.values?.numbers = nil
        path.values?.members = nil
    }

    /// Rounds the bounds of numbers that a double only approximates, and forgets the numbers themselves.
    private static func round(_ path: inout PathProfile) {
        guard path[.inexact].count > 0 else { return }
        path.values?.members = nil
        guard let numbers = path.values?.numbers, let low = Double(numbers.minimum),
            let high = Double(numbers.maximum), low.isFinite, high.isFinite
        else { return }
        path.values?.numbers = NumberProfile(
            minimum: "\(low)", maximum: "\(high)", zeros: numbers.zeros, positive: numbers.positive,
            negative: numbers.negative)
    }

    // MARK: Flattened objects

    /// The records with members of objects as columns, where the table has such columns.
    private static func flattened(_ records: PathProfile, like table: PathProfile) -> PathProfile {
        let names = Set(table.children.compactMap { child in child.step.memberName })
        var records = records
        records.children = records.children.flatMap { columns(of: $0, names) ?? [$0] }
        return records
    }

    /// The members of an object as columns; nil if the table has no such columns, or one for the object.
    private static func columns(of object: PathProfile, _ names: Set<String>) -> [PathProfile]? {
        guard let name = object.step.memberName, !names.contains(name), object.kinds == [.object], !object.isDictionary
        else { return nil }
        let separator = ["_", "."].first { separator in names.contains { $0.hasPrefix(name + separator) } }
        guard let separator else { return nil }
        return object.children.flatMap { member -> [PathProfile] in
            guard let inner = member.step.memberName else { return [] }
            var column = member
            column.step = .member(name + separator + inner)
            return columns(of: column, names) ?? [column]
        }
    }
}

extension PathProfile.Step {
    /// The name of a member; nil for another step.
    var memberName: String? { if case .member(let name) = self { name } else { nil } }
}
