/// A hash of 64 bits over a stream of bytes, taken eight at a time.
///
/// The hash detects accidental changes of an input; it is not cryptographic, so it does not protect against collisions
/// made on purpose. The value does not depend on how the stream is split:
///
///     var digest = ByteDigest()
///     digest.update(first)
///     digest.update(second)
///     digest.value    // the same as for both in one piece
package struct ByteDigest: Sendable, Hashable {
    fileprivate var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The last bytes, fewer than eight, that are not mixed in yet; the first one is the lowest.
    fileprivate var tail: UInt64 = 0
    /// How many bytes have been hashed.
    package fileprivate(set) var count = 0

    /// Starts with no bytes.
    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while count & 7 != 0, let byte = rest.first {
            add(byte)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        var state = state
        let whole = rest.count & ~7
        var offset = 0
        while offset < whole {
            let word = UInt64(littleEndian: rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            state = ByteDigest.mix(state, word)
            offset += 8
        }
        self.state = state
        count += whole
        for byte in rest[whole...] { add(byte) }
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The hash of all bytes so far; more may follow.
    package var value: UInt64 {
        var hash = ByteDigest.mix(state, tail) ^ UInt64(count)
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }

    /// The hash as 16 hexadecimal digits.
    package var text: String { ByteDigest.text(value) }

    static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func add(_ byte: UInt8) {
        tail |= UInt64(byte) << UInt64(8 * (count & 7))
        count += 1
        guard count & 7 == 0 else { return }
        state = ByteDigest.mix(state, tail)
        tail = 0
    }

    /// Mixes a word into the state.
    ///
    /// Each step is invertible for a known word, so different states stay different; the rotation carries high bits
    /// into low ones.
    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = state ^ (word &* 0x87C3_7B91_1142_53D5)
        return (mixed << 29 | mixed >> 35) &* 0x4CF5_AD43_2745_937F &+ 0x52DC_E729
    }
}

/// The digest as one text: state, tail and count.
extension ByteDigest: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let parts = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
        guard parts.count == 3, let count = Int(exactly: parts[2]), count & 7 != 0 || parts[1] == 0 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no digest"))
        }
        (state, tail, self.count) = (parts[0], parts[1], count)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let parts = [state, tail, UInt64(count)].map { String($0, radix: 16) }
        try container.encode(parts.joined(separator: " "))
    }
}
