import TributaryJSON

/// A line of the table about a dump: a path, and what is at it.
package struct ProfileRow {
    /// The path, below that of the records.
    package let name: String
    /// The steps to it.
    package let path: [PathProfile.Step]
    /// What is at it; of an array of texts or numbers, its elements.
    package let profile: PathProfile
    /// The arrays, if the row is about the elements of all of them.
    package let arrays: PathProfile?
    /// The values that are not null, and all that could be there.
    package let filled: (count: Int, of: Int)
}

extension ProfileRow {
    /// The rows for all paths of records.
    package static func all(of profile: DumpProfile) -> [ProfileRow] {
        var rows: [ProfileRow] = []
        let records = profile.records
        let isPlain = records.kinds == [.object] && !records.isDictionary
        if !isPlain, records.count > 0 {
            rows.append(
                ProfileRow(
                    name: ".", path: [], profile: records, arrays: nil,
                    filled: (records.count - records[.null].count, records.count)))
        }
        addRows(inside: records, "", [], &rows)
        return rows
    }

    private static func addRows(
        inside outer: PathProfile, _ name: String, _ path: [PathProfile.Step], _ rows: inout [ProfileRow]
    ) {
        for child in outer.children {
            let childPath = path + [child.step]
            switch child.step {
            case .records: break
            case .member(let member):
                add(child, member.memberName(after: name), childPath, outer[.object].count, &rows)
            case .elements: add(child, name + "[]", childPath, child.count, &rows)
            case .values: add(child, name + "{}", childPath, child.count, &rows)
            }
        }
    }

    private static func add(
        _ profile: PathProfile, _ name: String, _ path: [PathProfile.Step], _ places: Int, _ rows: inout [ProfileRow]
    ) {
        // On the way to records at several paths nothing is counted.
        guard profile.count > 0 else { return addRows(inside: profile, name, path, &rows) }
        let filled = (profile.count - profile[.null].count, places)
        // Arrays and nothing else have one row with their elements.
        if profile.kinds == [.array], profile.children.count == 1, profile.children[0].step == .elements {
            let elements = profile.children[0]
            let inside = path + [.elements]
            let isNested = elements.kinds == [.array]
            rows.append(
                ProfileRow(name: name + "[]", path: inside, profile: elements, arrays: profile, filled: filled))
            if isNested {
                for child in elements.children where child.step == .elements {
                    add(child, name + "[][]", inside + [.elements], child.count, &rows)
                }
            } else {
                addRows(inside: elements, name + "[]", inside, &rows)
            }
            return
        }
        rows.append(ProfileRow(name: name, path: path, profile: profile, arrays: nil, filled: filled))
        addRows(inside: profile, name, path, &rows)
    }
}

extension String {
    /// The name of a member in a path: `address.city`, or `a["odd name"]`.
    fileprivate func memberName(after outer: String) -> String {
        guard isPlainName else {
            let quoted = String(decoding: JSONLineWriter.quoted(Excerpt.escape(self)), as: UTF8.self)
            return "\(outer)[\(quoted)]"
        }
        return outer.isEmpty ? self : "\(outer).\(self)"
    }
}

extension DumpProfile {
    /// A path as it is shown, without a dot in front.
    package static func name(of path: [PathProfile.Step]) -> String {
        path.reduce(into: "") { name, step in
            switch step {
            case .records: break
            case .member(let member): name = member.memberName(after: name)
            case .elements: name += "[]"
            case .values: name += "{}"
            }
        }
    }
}
