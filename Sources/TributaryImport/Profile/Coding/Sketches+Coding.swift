import Foundation

extension LowestHashes: Codable {
    private enum CodingKeys: String, CodingKey {
        case estimate, isExact, error, hashes, counts, threshold
    }

    /// Writes it as a part of the JSON of a profile.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(estimate, forKey: .estimate)
        try container.encode(isExact, forKey: .isExact)
        if !isExact { try container.encode((error * 1000).rounded() / 1000, forKey: .error) }
        guard !encoder.hidesValues else { return }
        try container.encode(LowestHashes.data(hashes), forKey: .hashes)
        try container.encode(counts, forKey: .counts)
        if let threshold { try container.encode(LowestHashes.data([threshold]), forKey: .threshold) }
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // A profile without values has none.
        hashes = try container.decodeIfPresent(Data.self, forKey: .hashes).map(LowestHashes.hashes) ?? []
        counts = try container.decodeIfPresent([Int].self, forKey: .counts) ?? []
        threshold = try container.decodeIfPresent(Data.self, forKey: .threshold).flatMap {
            LowestHashes.hashes($0).first
        }
        let isValid =
            hashes.count == counts.count && hashes.count <= Resolution.most
            && zip(hashes, hashes.dropFirst()).allSatisfy { $0 < $1 } && !hashes.contains(0)
            && counts.allSatisfy { (1...ProfileCoding.mostCount).contains($0) }
            && threshold.map { $0 > hashes.last ?? 0 } ?? true
        try container.check(isValid, .hashes, "they are not in order")
    }

    /// The bytes of hashes, the lowest one first.
    private static func data(_ hashes: [UInt64]) -> Data {
        var data = Data(capacity: hashes.count * 8)
        for hash in hashes { withUnsafeBytes(of: hash.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }

    private static func hashes(_ data: Data) -> [UInt64] {
        let bytes = Array(data)
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

extension Histogram {
    private enum CodingKeys: String, CodingKey {
        case shift, base, counts
    }

    /// Reads it from JSON, which another program may have changed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            shift: try container.decode(Int.self, forKey: .shift), base: try container.decode(Int.self, forKey: .base),
            counts: try container.decode([Int].self, forKey: .counts))
        let isValid =
            (0...62).contains(shift) && counts.count <= 2 * Resolution.most
            && base.magnitude + UInt(counts.count) <= UInt(Int.max >> shift)
            && counts.allSatisfy { (0...ProfileCoding.mostCount).contains($0) }
        try container.check(isValid, .counts, "they are not those of a histogram")
    }
}
