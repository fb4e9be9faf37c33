/// SHA-256 of FIPS 180-4, for version hashes: Foundation has none on Linux.
///
/// It hashes a few kilobytes when a model is made, so it is written to be read, not to be fast.
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

    /// The first 32 bits behind the point of the square roots of the first 8 primes.
    private static let start = primes.prefix(8).map { fraction(of: UInt128($0) << 64, power: 2) }
    /// The first 32 bits behind the point of the cube roots of the first 64 primes.
    private static let constants = primes.map { fraction(of: UInt128($0) << 96, power: 3) }

    /// The low 32 bits of the root of `number`, which has 32 bits behind the point.
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

    /// Starts with nothing.
    package init() { state = Self.start }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            byteCount += 1
            if pending.count == 64 { compress() }
        }
    }

    /// The 32 bytes of the digest; the hasher is used up.
    package consuming func finish() -> [UInt8] {
        let bitCount = byteCount * 8
        update([0x80])
        while pending.count != 56 { update([0]) }
        update((0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) })
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private mutating func compress() {
        var words = (0..<16).map { place in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(pending[4 * place + $1]) }
        }
        for place in 16..<64 {
            let near = words[place - 15]
            let far = words[place - 2]
            let first = Self.turn(near, 7) ^ Self.turn(near, 18) ^ (near >> 3)
            let second = Self.turn(far, 17) ^ Self.turn(far, 19) ^ (far >> 10)
            words.append(words[place - 16] &+ first &+ words[place - 7] &+ second)
        }
        var lane = state
        for place in 0..<64 {
            let high = Self.turn(lane[4], 6) ^ Self.turn(lane[4], 11) ^ Self.turn(lane[4], 25)
            let choice = (lane[4] & lane[5]) ^ (~lane[4] & lane[6])
            let first = lane[7] &+ high &+ choice &+ Self.constants[place] &+ words[place]
            let low = Self.turn(lane[0], 2) ^ Self.turn(lane[0], 13) ^ Self.turn(lane[0], 22)
            let majority = (lane[0] & lane[1]) ^ (lane[0] & lane[2]) ^ (lane[1] & lane[2])
            lane = [first &+ low &+ majority, lane[0], lane[1], lane[2], lane[3] &+ first, lane[4], lane[5], lane[6]]
        }
        for place in 0..<8 { state[place] &+= lane[place] }
        pending.removeAll(keepingCapacity: true)
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
