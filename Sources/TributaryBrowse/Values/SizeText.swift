import TributaryImport

/// Sizes of values in pages.
enum SizeText {
    /// A size in bytes, KiB or MiB.
    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<10_000: FigureText.counted(count, "byte")
        case ..<(10 << 20): "\(FigureText.grouped(count >> 10)) KiB"
        default: "\(FigureText.grouped(count >> 20)) MiB"
        }
    }
}
