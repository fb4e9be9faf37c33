/// A hash of 64 bits over a stream of bytes, taken eight at a time.
///
/// Words go to four states in turn, since the processor can work on four multiplications at once.
///
/// The hash detects accidental changes of an input; it is not cryptographic, so it does not protect against collisions
/// made on purpose. The value does not depend on how the stream is split.
package struct ByteDigest: Sendable, Hashable {
    fileprivate var states: SIMD4<UInt64> = [
        0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93,
    ]
    /// The last bytes, fewer than eight, that are not mixed in yet; the first one is the lowest.
    fileprivate var tail: UInt64 = 0
    /// How many bytes have been hashed.
    package fileprivate(set) var count = 0

    /// Starts with no bytes.
    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while count & 31 != 0, let byte = rest.first {
            add(byte)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        var (first, second, third, fourth) = (states[0], states[1], states[2], states[3])
        let whole = rest.count & ~31
        var offset = 0
        while offset < whole {
            func word(_ place: Int) -> UInt64 {
                UInt64(littleEndian: rest.loadUnaligned(fromByteOffset: offset + place, as: UInt64.self))
            }
            first = ByteDigest.mix(first, word(0))
            second = ByteDigest.mix(second, word(8))
            third = ByteDigest.mix(third, word(16))
            fourth = ByteDigest.mix(fourth, word(24))
            offset += 32
        }
        states = [first, second, third, fourth]
        count += whole
        for byte in rest[whole...] { add(byte) }
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The hash of all bytes so far; more may follow.
    package var value: UInt64 {
        var hash = tail
        for index in 0..<4 { hash = ByteDigest.mix(states[index], hash) }
        hash ^= UInt64(count)
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }

    /// The hash as 16 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func add(_ byte: UInt8) {
        tail |= UInt64(byte) << UInt64(8 * (count & 7))
        count += 1
        guard count & 7 == 0 else { return }
        let lane = (count / 8 - 1) & 3
        states[lane] = ByteDigest.mix(states[lane], tail)
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

/// The digest as one text: its states, tail and count.
extension ByteDigest: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let parts = text.split(separator: " ").compactMap { UInt64($0, radix: 16) }
        guard parts.count == 6, let count = Int(exactly: parts[5]), count & 7 != 0 || parts[4] == 0 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no digest"))
        }
        (states, tail, self.count) = ([parts[0], parts[1], parts[2], parts[3]], parts[4], count)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let parts = (0..<4).map { states[$0] } + [tail, UInt64(count)]
        try container.encode(parts.map { String($0, radix: 16) }.joined(separator: " "))
    }
}
