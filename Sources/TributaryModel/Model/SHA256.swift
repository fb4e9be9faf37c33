/// SHA-256 of FIPS 180-4 for version hashes, because Foundation has none on Linux.
///
/// It hashes a few kilobytes when a model is created, so it is optimized for readability, not for speed.
package struct SHA256 {
    private var state: [UInt32]
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    private static let primes: [UInt32] = {
        var found: [UInt32] = []
        var candidate: UInt32 = 2
        while found.count < 64 {
            if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
            candidate += 1
        }
        return found
    }()

    /// The first 32 bits after the binary point of the square roots of the first 8 primes.
    private static let start = primes.prefix(8).map { fraction(of: UInt128($0) << 64, power: 2) }
    /// The first 32 bits after the binary point of the cube roots of the first 64 primes.
    private static let constants = primes.map { fraction(of: UInt128($0) << 96, power: 3) }

    /// The low 32 bits of the integer root of `number`, which is scaled so that these bits are the fraction.
    private static func fraction(of number: UInt128, power: Int) -> UInt32 {
        var low: UInt128 = 0
        var high: UInt128 = 1 << 38
        while high - low > 1 {
            let middle = (low + high) / 2
            let raised = power == 2 ? middle * middle : middle * middle * middle
            if raised <= number { low = middle } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    /// A hasher without input.
    package init() { state = Self.start }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            byteCount += 1
            if pending.count == 64 { compress() }
        }
    }

    /// The 32 bytes of the digest.
    package consuming func finish() -> [UInt8] {
        let bitCount = byteCount * 8
        update([0x80])
        while pending.count != 56 { update([0]) }
        update((0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) })
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private mutating func compress() {
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(pending[4 * index + $1]) }
        }
        for index in 16..<64 {
            let near = words[index - 15]
            let far = words[index - 2]
            let first = Self.rotate(near, 7) ^ Self.rotate(near, 18) ^ (near >> 3)
            let second = Self.rotate(far, 17) ^ Self.rotate(far, 19) ^ (far >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var lane = state
        for index in 0..<64 {
            let high = Self.rotate(lane[4], 6) ^ Self.rotate(lane[4], 11) ^ Self.rotate(lane[4], 25)
            let choice = (lane[4] & lane[5]) ^ (~lane[4] & lane[6])
            let first = lane[7] &+ high &+ choice &+ Self.constants[index] &+ words[index]
            let low = Self.rotate(lane[0], 2) ^ Self.rotate(lane[0], 13) ^ Self.rotate(lane[0], 22)
            let majority = (lane[0] & lane[1]) ^ (lane[0] & lane[2]) ^ (lane[1] & lane[2])
            lane = [first &+ low &+ majority, lane[0], lane[1], lane[2], lane[3] &+ first, lane[4], lane[5], lane[6]]
        }
        for index in 0..<8 { state[index] &+= lane[index] }
        pending.removeAll(keepingCapacity: true)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
