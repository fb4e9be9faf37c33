/// Numbers of things in pages.
enum CountText {
    /// A number with a comma before each three digits: `1,204`.
    static func grouped(_ count: Int) -> String {
        var text = ""
        let digits = String(count.magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (count < 0 ? "-" : "") + text
    }

    /// A number with its noun: `1 row`, `1,204 rows`.
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// A size in bytes, KiB or MiB.
    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<10_000: counted(count, "byte")
        case ..<(10 << 20): "\(grouped(count >> 10)) KiB"
        default: "\(grouped(count >> 20)) MiB"
        }
    }
}
