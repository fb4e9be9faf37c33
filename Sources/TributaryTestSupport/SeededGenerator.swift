import Foundation

/// Reproducible random numbers, by SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed, which a failing test prints.
    public let seed: UInt64
    private var state: UInt64

    /// Starts with `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Starts with the seed in the environment variable `TRIBUTARY_SEED`, or with a random one.
    public static func fresh() -> SeededGenerator {
        let text = ProcessInfo.processInfo.environment["TRIBUTARY_SEED"]
        return SeededGenerator(seed: text.flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000))
    }

    /// Starts with the seed in the environment variable `TRIBUTARY_SEED`, or with `base`, mixed with a case number.
    ///
    /// A suite draws the same numbers each time, a sweep draws other ones, and each case draws its own.
    public static func sampled(_ base: UInt64, case number: UInt64 = 0) -> SeededGenerator {
        let text = ProcessInfo.processInfo.environment["TRIBUTARY_SEED"]
        let base = text.flatMap { UInt64($0) } ?? base
        // Seeds that differ by one must not yield sequences that are shifted by one step.
        var generator = SeededGenerator(seed: base)
        generator.state = generator.next() &+ number &* 0xD6E8_FEB8_6659_FD93
        return generator
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// One of `choices`.
    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// True with a probability of 1 in `count`.
    public mutating func once(in count: Int) -> Bool { below(count) == 0 }
}
