extension ValueProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case different, common, members, sample, numbers, texts
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(different, forKey: .different)
        try container.encodeIfPresent(numbers, forKey: .numbers)
        try container.encodeIfPresent(texts, forKey: .texts)
        guard !encoder.hidesValues else { return }
        try container.encode(common(10), forKey: .common)
        try container.encodeIfPresent(
            members.map { $0.sorted { $0.key < $1.key }.map(\.value) }, forKey: .members)
        try container.encode(sample, forKey: .sample)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        different = try container.decode(LowestHashes.self, forKey: .different)
        numbers = try container.decodeIfPresent(NumberProfile.self, forKey: .numbers)
        texts = try container.decodeIfPresent(TextProfile.self, forKey: .texts)
        sample = try container.decodeIfPresent(ValueSample.self, forKey: .sample) ?? ValueSample()
        let members = try container.decodeIfPresent([ValueText].self, forKey: .members)
        self.members = members.map { members in Dictionary(members.map { ($0.hash, $0) }) { one, _ in one } }
        try container.check(
            members?.count ?? 0 <= ValueProfile.mostMembers && sample.items.count <= Resolution.most, .members,
            "they are too many")
    }
}

extension ValueText {
    /// The hash of the value, which is not cut.
    var hash: UInt64 {
        guard !isText else { return ValueHash.text(Array(text.utf8)) }
        return Array(text.utf8).withUnsafeBufferPointer { $0.isEmpty ? 1 : NumberScan($0).hash }
    }
}

extension NumberProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case minimum, maximum, zeros, quantiles, mean, positive, negative
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        guard !encoder.hidesValues else { return }
        try container.encode(minimum, forKey: .minimum)
        try container.encode(maximum, forKey: .maximum)
        try container.encode(zeros, forKey: .zeros)
        let finite = [0.25, 0.5, 0.75].compactMap { quantile($0) }.filter(\.isFinite)
        if finite.count == 3 { try container.encode(finite, forKey: .quantiles) }
        if let mean, mean.isFinite { try container.encode(mean, forKey: .mean) }
        try container.encode(positive, forKey: .positive)
        try container.encode(negative, forKey: .negative)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        guard container.contains(.minimum) else { return }
        self.init(
            minimum: try container.decode(String.self, forKey: .minimum),
            maximum: try container.decode(String.self, forKey: .maximum), zeros: try container.count(.zeros),
            positive: try container.decode(Histogram.self, forKey: .positive),
            negative: try container.decode(Histogram.self, forKey: .negative))
        try container.check(
            Double(minimum) != nil && Double(maximum) != nil, .minimum, "the bounds are not numbers")
    }
}

extension TextProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case first, last, shortest, longest, shapes, lengths, dates
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(shortest, forKey: .shortest)
        try container.encode(longest, forKey: .longest)
        let shapes = TextShape.allCases.map { ($0.rawValue, count(of: $0)) }.filter { $0.1 > 0 }
        try container.encode(Dictionary(uniqueKeysWithValues: shapes), forKey: .shapes)
        try container.encode(lengths, forKey: .lengths)
        guard !encoder.hidesValues else { return }
        try container.encodeIfPresent(first, forKey: .first)
        try container.encodeIfPresent(last, forKey: .last)
        try container.encode(dates, forKey: .dates)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let shapes = try container.decode([String: Int].self, forKey: .shapes)
        self.init(
            lengths: try container.decode(Histogram.self, forKey: .lengths),
            dates: try container.decodeIfPresent(Histogram.self, forKey: .dates) ?? Histogram(shift: 0),
            bounds: (try container.count(.shortest), try container.count(.longest)),
            first: try container.decodeIfPresent(ValueText.self, forKey: .first),
            last: try container.decodeIfPresent(ValueText.self, forKey: .last),
            shapes: TextShape.allCases.map { shapes[$0.rawValue] ?? 0 })
        try container.check(
            shapes.values.allSatisfy { (0...ProfileCoding.mostCount).contains($0) }, .shapes, "they are not counts")
    }
}
