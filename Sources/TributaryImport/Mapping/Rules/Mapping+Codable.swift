import Foundation
import TributaryJSON
import TributaryModel

/// The form of mappings as JSON, in a file and in the entry `json` of `userInfo`.
///
///     {"Book": {"key": ["isbn"], "properties": {"title": "name", "published": {"path": "dates.p", "dates": "dd.MM.yyyy"}}}}
extension Mappings: Codable {
    /// Reads the mappings of entities from an object.
    public init(from decoder: any Decoder) throws { entities = try [String: Mapping](from: decoder) }

    /// Writes the mappings as an object.
    public func encode(to encoder: any Encoder) throws { try entities.encode(to: encoder) }
}

extension Mappings {
    /// Reads mappings from the text of a file.
    ///
    /// - Throws: `ImportError` that names the wrong member.
    public init(json text: [UInt8], from name: String) throws {
        self = try MappingCoding.decode(Mappings.self, text, from: name)
    }

    /// The mappings as the text of a file.
    public var jsonText: String { MappingCoding.text(self) }
}

extension Mapping: Codable {
    private enum Member: String, CodingKey, CaseIterable {
        case key, properties, ignored, inferNames, conversion, mismatch, dates, ordered, shaping
    }

    /// Reads a mapping from an object.
    public init(from decoder: any Decoder) throws {
        let members = try MappingCoding.container(decoder, Member.self)
        key = try members.decodeIfPresent(OneOrMore<String>.self, forKey: .key)?.values
        properties = try members.decodeIfPresent([String: PropertyRule].self, forKey: .properties) ?? [:]
        ignored = try members.decodeIfPresent(OneOrMore<RemoteKey>.self, forKey: .ignored)?.values ?? []
        infersNames = try members.decodeIfPresent(Bool.self, forKey: .inferNames) ?? true
        conversion = try members.decodeIfPresent(Conversion.self, forKey: .conversion) ?? .strict
        mismatch = try members.decodeIfPresent(Mismatch.self, forKey: .mismatch) ?? .reject
        dates = try members.decodeIfPresent(OneOrMore<String>.self, forKey: .dates)?.values ?? []
        ordered = try members.decodeIfPresent(OneOrMore<String>.self, forKey: .ordered)?.values ?? []
        shaping = try members.decodeIfPresent(ColumnShaping.self, forKey: .shaping)
    }

    /// Writes the mapping as an object, without what is the default.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encodeIfPresent(key.map(OneOrMore.init), forKey: .key)
        if !properties.isEmpty { try members.encode(properties, forKey: .properties) }
        if !ignored.isEmpty { try members.encode(OneOrMore(ignored), forKey: .ignored) }
        if !infersNames { try members.encode(false, forKey: .inferNames) }
        if conversion != .strict { try members.encode(conversion, forKey: .conversion) }
        if mismatch != .reject { try members.encode(mismatch, forKey: .mismatch) }
        if !dates.isEmpty { try members.encode(OneOrMore(dates), forKey: .dates) }
        if !ordered.isEmpty { try members.encode(OneOrMore(ordered), forKey: .ordered) }
        try members.encodeIfPresent(shaping, forKey: .shaping)
    }
}

extension PropertyRule: Codable {
    private enum Member: String, CodingKey, CaseIterable {
        case path, conversion, mismatch, dates, `default`, policy, newest, entity, by, links,
            dangling
    }

    /// Reads a rule from an object, or from the text of its path.
    public init(from decoder: any Decoder) throws {
        if let path = try? decoder.singleValueContainer().decode(String.self) {
            paths = [RemoteKey(path)]
            return
        }
        let members = try MappingCoding.container(decoder, Member.self)
        paths = try members.decodeIfPresent(OneOrMore<RemoteKey>.self, forKey: .path)?.values ?? []
        conversion = try members.decodeIfPresent(Mapping.Conversion.self, forKey: .conversion)
        mismatch = try members.decodeIfPresent(Mapping.Mismatch.self, forKey: .mismatch)
        dates = try members.decodeIfPresent(OneOrMore<String>.self, forKey: .dates)?.values ?? []
        defaultValue = try members.decodeIfPresent(MappingCoding.Scalar.self, forKey: .default)?.value
        policy = try members.decodeIfPresent(Policy.self, forKey: .policy) ?? .feed
        newest = try members.decodeIfPresent(String.self, forKey: .newest)
        entity = try members.decodeIfPresent(String.self, forKey: .entity)
        finder = try members.decodeIfPresent(OneOrMore<String>.self, forKey: .by)?.values
        links = try members.decodeIfPresent(Links.self, forKey: .links) ?? .replace
        dangling = try members.decodeIfPresent(Mapping.Dangling.self, forKey: .dangling)
    }

    /// Writes the rule as an object, or as the text of its path if that is all.
    public func encode(to encoder: any Encoder) throws {
        if let path = paths.first, self == PropertyRule(path) {
            var text = encoder.singleValueContainer()
            return try text.encode(path.text)
        }
        var members = encoder.container(keyedBy: Member.self)
        if !paths.isEmpty { try members.encode(OneOrMore(paths), forKey: .path) }
        try members.encodeIfPresent(conversion, forKey: .conversion)
        try members.encodeIfPresent(mismatch, forKey: .mismatch)
        if !dates.isEmpty { try members.encode(OneOrMore(dates), forKey: .dates) }
        try members.encodeIfPresent(defaultValue.map(MappingCoding.Scalar.init), forKey: .default)
        if policy != .feed { try members.encode(policy, forKey: .policy) }
        try members.encodeIfPresent(newest, forKey: .newest)
        try members.encodeIfPresent(entity, forKey: .entity)
        try members.encodeIfPresent(finder.map(OneOrMore.init), forKey: .by)
        if links != .replace { try members.encode(links, forKey: .links) }
        try members.encodeIfPresent(dangling, forKey: .dangling)
    }
}

extension RemoteKey: Codable {
    /// Reads a path from its text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the path as text.
    public func encode(to encoder: any Encoder) throws {
        var text = encoder.singleValueContainer()
        try text.encode(self.text)
    }
}

/// One value, or an array of several.
private struct OneOrMore<Value: Codable>: Codable {
    let values: [Value]

    init(_ values: [Value]) { self.values = values }

    init(from decoder: any Decoder) throws {
        do {
            values = [try decoder.singleValueContainer().decode(Value.self)]
        } catch {
            guard let several = try? [Value](from: decoder) else { throw error }
            values = several
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if values.count == 1 { try container.encode(values[0]) } else { try container.encode(values) }
    }
}
