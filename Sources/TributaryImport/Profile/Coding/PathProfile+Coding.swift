extension PathProfile.Step {
    /// As text: `[]`, `{}`, or a dot and the name of a member; nothing for the records.
    var text: String {
        switch self {
        case .records: ""
        case .elements: "[]"
        case .values: "{}"
        case .member(let name): "." + name
        }
    }

    init?(text: String) {
        switch text {
        case "": self = .records
        case "[]": self = .elements
        case "{}": self = .values
        default:
            guard text.hasPrefix(".") else { return nil }
            self = .member(String(text.dropFirst()))
        }
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let step = PathProfile.Step(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a step of a path")
        }
        self = step
    }
}

extension PathProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case step, type, count, kinds, empty, anomalies, forms, values, sizes, keys, children
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(step, forKey: .step)
        try container.encode(type, forKey: .type)
        try container.encode(count, forKey: .count)
        try container.encode(named(ValueKind.allCases) { ("\($0)", self[$0]) }, forKey: .kinds)
        if empty > 0 { try container.encode(empty, forKey: .empty) }
        let anomalies = named(Anomaly.allCases) { ("\($0)", self[$0]) }
        if !anomalies.isEmpty { try container.encode(anomalies, forKey: .anomalies) }
        if !forms.isEmpty { try container.encode(forms.rawValue, forKey: .forms) }
        try container.encodeIfPresent(values, forKey: .values)
        try container.encodeIfPresent(sizes, forKey: .sizes)
        try container.encodeIfPresent(keys, forKey: .keys)
        if !children.isEmpty { try container.encode(children, forKey: .children) }
    }

    private func named<Case>(_ cases: [Case], _ occurrence: (Case) -> (String, Occurrence)) -> [String: Occurrence] {
        Dictionary(uniqueKeysWithValues: cases.map(occurrence).filter { $0.1.count > 0 })
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode(Step.self, forKey: .step))
        let kinds = try container.decode([String: Occurrence].self, forKey: .kinds)
        for kind in ValueKind.allCases { self[kind] = kinds["\(kind)"] ?? Occurrence() }
        empty = container.contains(.empty) ? try container.count(.empty) : 0
        let anomalies = try container.decodeIfPresent([String: Occurrence].self, forKey: .anomalies) ?? [:]
        for anomaly in Anomaly.allCases { self[anomaly] = anomalies["\(anomaly)"] ?? Occurrence() }
        forms = NumberForms(rawValue: try container.decodeIfPresent(UInt16.self, forKey: .forms) ?? 0)
        values = try container.decodeIfPresent(ValueProfile.self, forKey: .values)
        sizes = try container.decodeIfPresent(SizeProfile.self, forKey: .sizes)
        keys = try container.decodeIfPresent(DictionaryKeys.self, forKey: .keys)
        children = try container.decodeIfPresent([PathProfile].self, forKey: .children) ?? []
        try container.check(Set(children.map(\.step)).count == children.count, .children, "a path is there twice")
        try container.check(
            decoder.codingPath.count < 4 * PathLimits.depth, .children, "the paths have too many steps")
    }
}

extension PathProfile.Occurrence {
    private enum CodingKeys: String, CodingKey {
        case count, first
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        (count, first) = (try container.count(.count), try container.decodeIfPresent(ValuePlace.self, forKey: .first))
    }
}

extension ValuePlace {
    private enum CodingKeys: String, CodingKey {
        case source, record, line, byte
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try container.count(.source), record: try container.count(.record),
            line: try container.count(.line), byte: try container.count(.byte))
    }
}

extension DictionaryKeys: Codable {
    private enum CodingKeys: String, CodingKey {
        case different, samples
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(different, forKey: .different)
        if !encoder.hidesValues { try container.encode(samples, forKey: .samples) }
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let samples = try container.decodeIfPresent([String].self, forKey: .samples) ?? []
        self.init(
            try container.decode(LowestHashes.self, forKey: .different),
            examples: Dictionary(samples.map { (ValueHash.text(Array($0.utf8)), $0) }) { one, _ in one })
    }
}
