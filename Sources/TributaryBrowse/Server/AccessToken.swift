/// A secret of 128 bits, which a request must know.
struct AccessToken: Sendable {
    /// The bits as 32 hexadecimal digits.
    let text: String

    /// A token from the random numbers of the system.
    init() {
        var random = SystemRandomNumberGenerator()
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether a text is the token; the time that this takes does not tell how much of it is right.
    func matches(_ other: some StringProtocol) -> Bool {
        let (own, others) = (Array(text.utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
