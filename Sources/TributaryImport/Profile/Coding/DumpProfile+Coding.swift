import TributaryJSON

extension DumpProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case version = "profile"
        case sources, manner = "reading", recordCount, isWhole, bytes, storedBytes, damage, outside, records, keys,
            references, further,
            resolution
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ProfileCoding.version, forKey: .version)
        try container.encode(sources, forKey: .sources)
        try container.encodeIfPresent(manner, forKey: .manner)
        try container.encode(recordCount, forKey: .recordCount)
        try container.encode(isWhole, forKey: .isWhole)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(storedBytes, forKey: .storedBytes)
        var damage = damage
        if encoder.hidesValues { damage.hideValues() }
        try container.encode(damage, forKey: .damage)
        try container.encode(outside, forKey: .outside)
        try container.encode(records, forKey: .records)
        try container.encode(keys, forKey: .keys)
        try container.encode(references, forKey: .references)
        try container.encode(further, forKey: .further)
        try container.encode(resolution, forKey: .resolution)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        let version = try container.decode(Int.self, forKey: .version)
        try container.check(
            version == ProfileCoding.version, .version,
            "it has the version \(version), and this program reads \(ProfileCoding.version)")
        sources = try container.decode([Source].self, forKey: .sources)
        manner = try container.decodeIfPresent(Manner.self, forKey: .manner)
        recordCount = try container.count(.recordCount)
        isWhole = try container.decode(Bool.self, forKey: .isWhole)
        (bytes, storedBytes) = (try container.count(.bytes), try container.count(.storedBytes))
        damage = try container.decode(Damage.self, forKey: .damage)
        outside = try container.decode(OutsideReport.self, forKey: .outside)
        records = try container.decode(PathProfile.self, forKey: .records)
        keys = try container.decode([KeyFinding].self, forKey: .keys)
        further = try container.decode(FurtherPaths.self, forKey: .further)
        resolution = try container.decode(Int.self, forKey: .resolution)
        let counts = [damage.count, damage.bytes]
        try container.check(
            counts.allSatisfy { (0...ProfileCoding.mostCount).contains($0) }, .damage, "the counts are not possible")
        try container.check(outside.isPlausible, .outside, "the counts are not possible")
        try container.check(
            (Resolution.least...Resolution.most).contains(resolution), .resolution, "it is out of its bounds")
    }
}

extension FurtherPaths: Codable {
    private enum CodingKeys: String, CodingKey {
        case values, paths, depth
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(values, forKey: .values)
        try container.encode(paths, forKey: .paths)
        try container.encode(depth, forKey: .depth)
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        values = try container.count(.values)
        paths = try container.decode(LowestHashes.self, forKey: .paths)
        depth = try container.decode(Int.self, forKey: .depth)
        try container.check((1...PathLimits.depth).contains(depth), .depth, "it is out of its bounds")
    }
}
