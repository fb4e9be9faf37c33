import Foundation

/// What a benchmark prints: lines of text, or JSON with the lines on standard error.
struct Report {
    var printsJSON = false

    /// Prints a line at once.
    func say(_ text: String) {
        guard !printsJSON else { return FileHandle.standardError.write(Data((text + "\n").utf8)) }
        print(text)
        fflush(nil)
    }

    /// Prints the measurements if JSON is wanted.
    func finish(_ rows: some Encodable) throws {
        if printsJSON { print(String(decoding: try Report.json(rows), as: UTF8.self)) }
    }

    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(value)
    }

    /// The cells of a line, each with the width of its column.
    static func line(_ cells: (text: String, width: Int)...) -> String {
        cells.map { $0.text + String(repeating: " ", count: max(1, $0.width - $0.text.count)) }.joined()
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }

    /// The time of `body` with its result.
    static func measure<Result>(_ body: () throws -> Result) rethrows -> (seconds: Double, result: Result) {
        let start = ContinuousClock.now
        let result = try body()
        return ((ContinuousClock.now - start).seconds, result)
    }
}
