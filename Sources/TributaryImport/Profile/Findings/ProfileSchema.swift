import TributaryJSON

/// A JSON Schema (draft 2020-12) of the records of a profile, in which every record that was read validates.
package struct ProfileSchema {
    private var lines: [String] = []
    private let profile: DumpProfile
    private let hidesValues: Bool

    /// The most members of a set of values that is listed.
    private static let mostMembers = 16
    /// How often each value must occur on average, so that the set is taken for complete.
    private static let timesOfMember = 10

    private init(_ profile: DumpProfile, hidesValues: Bool) {
        (self.profile, self.hidesValues) = (profile, hidesValues)
    }

    /// The text of the schema, with a line feed at the end; without values nothing of the values themselves.
    package static func text(of profile: DumpProfile, withoutValues: Bool = false) -> String {
        var schema = ProfileSchema(profile, hidesValues: withoutValues)
        let name = profile.sources.map(\.name).shortList
        let members = [
            ("$schema", quoted("https://json-schema.org/draft/2020-12/schema")),
            ("title", quoted("The records of \(name)")),
        ]
        schema.add(profile.records, members, indent: "", end: "")
        return schema.lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONLineWriter.quoted(text), as: UTF8.self)
    }

    /// Adds the schema of the values at a path, after `first` members.
    private mutating func add(_ path: PathProfile, _ first: [(String, String)], indent: String, end: String) {
        let inner = indent + "  "
        var members = first
        let types = ProfileSchema.types(path)
        if path.count > 0 {
            members.append(("type", types.count == 1 ? types[0] : "[\(types.joined(separator: ", "))]"))
        }
        members += hidesValues ? [] : values(path)
        if let sizes = path.sizes {
            members += [("minItems", "\(sizes.least)"), ("maxItems", "\(sizes.most)")]
        }
        let named = path.children.compactMap { child in
            if case .member(let name) = child.step { (name: name, child: child) } else { nil }
        }
        let required = named.filter { $0.child.count == path[.object].count }.map { ProfileSchema.quoted($0.name) }
        if !required.isEmpty { members.append(("required", "[\(required.joined(separator: ", "))]")) }
        let elements = path.children.first { $0.step == .elements && $0.count > 0 }
        let dictionary = path.children.first { $0.step == .values && $0.count > 0 }
        let containers = (named.isEmpty ? 0 : 1) + (elements == nil ? 0 : 1) + (dictionary == nil ? 0 : 1)
        guard !members.isEmpty || containers > 0 else {
            lines[lines.count - 1] += "{}" + end
            return
        }
        open("{")
        for (index, member) in members.enumerated() {
            let isLast = index == members.count - 1 && containers == 0
            lines.append("\(inner)\(ProfileSchema.quoted(member.0)): \(member.1)\(isLast ? "" : ",")")
        }
        var rest = containers
        func comma() -> String {
            rest -= 1
            return rest > 0 ? "," : ""
        }
        if !named.isEmpty {
            lines.append("\(inner)\"properties\": ")
            open("{")
            for (index, member) in named.enumerated() {
                lines.append("\(inner)  \(ProfileSchema.quoted(member.name)): ")
                add(member.child, [], indent: inner + "  ", end: index < named.count - 1 ? "," : "")
            }
            lines.append("\(inner)}\(comma())")
        }
        if let elements {
            lines.append("\(inner)\"items\": ")
            add(elements, [], indent: inner, end: comma())
        }
        if let dictionary {
            lines.append("\(inner)\"additionalProperties\": ")
            add(dictionary, [], indent: inner, end: comma())
        }
        lines.append("\(indent)}\(end)")
    }

    /// Adds a bracket to the line of its name.
    private mutating func open(_ bracket: String) {
        if lines.isEmpty { lines = [bracket] } else { lines[lines.count - 1] += bracket }
    }

    private static func types(_ path: PathProfile) -> [String] {
        var types: [String] = []
        func add(_ type: String, _ kinds: ValueKind...) {
            if kinds.contains(where: { path[$0].count > 0 }) { types.append(quoted(type)) }
        }
        add("null", .null)
        add("boolean", .no, .yes)
        // A number with a point may be whole, but need not be.
        if path[.real].count > 0 { add("number", .real) } else { add("integer", .integer) }
        add("string", .text)
        add("object", .object)
        add("array", .array)
        return types
    }

    /// What the texts and numbers at a path have in common.
    private func values(_ path: PathProfile) -> [(String, String)] {
        guard let values = path.values else { return [] }
        if let set = set(of: values, path) { return [("enum", set)] }
        var members: [(String, String)] = []
        if let numbers = values.numbers {
            let isRounded = path[.real].count > 0
            let bounds = [(numbers.minimum, -1.0), (numbers.maximum, 1.0)].map {
                ProfileSchema.bound($0, $1, isRounded)
            }
            for (name, bound) in zip(["minimum", "maximum"], bounds) { if let bound { members.append((name, bound)) } }
        }
        if let texts = values.texts {
            members += [("minLength", "\(texts.shortest)"), ("maxLength", "\(texts.longest)")]
            if let format = ProfileSchema.format(path.type) { members.append(("format", ProfileSchema.quoted(format))) }
        }
        return members
    }

    /// A bound as it is written; a wider one if a program that reads numbers as doubles would round it, or the values.
    private static func bound(_ literal: String, _ direction: Double, _ isRounded: Bool) -> String? {
        guard isRounded, let double = Double(literal) else { return literal }
        guard double.magnitude >= 0x1p53 || NumberLiteral("\(double)")?.canonical != NumberLiteral(literal)?.canonical
        else { return literal }
        let wider = direction < 0 ? double.nextDown : double.nextUp
        return wider.isFinite ? "\(wider)" : nil
    }

    private func set(of values: ValueProfile, _ path: PathProfile) -> String? {
        guard let members = values.members, values.different.isExact, members.count <= ProfileSchema.mostMembers,
            members.count == values.different.estimate,
            values.different.counts.reduce(0, +) >= members.count * ProfileSchema.timesOfMember,
            Set(path.kinds).isSubset(of: [.integer, .real, .text])
        else { return nil }
        let texts = members.values.sorted().map { $0.isText ? ProfileSchema.quoted($0.text) : $0.text }
        return "[\(((path[.null].count > 0 ? ["null"] : []) + texts).joined(separator: ", "))]"
    }

    private static func format(_ type: FoundType) -> String? {
        switch type {
        case .date: "date"
        case .uuid: "uuid"
        case .ipAddress: "ipv4"
        default: nil
        }
    }
}
