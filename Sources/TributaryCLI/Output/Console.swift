import TributaryPlatform

/// Writes errors, notes and progress to standard error.
struct Console {
    private static let isTerminal = isatty(STDERR_FILENO) == 1 && terminalName != "dumb"
    private static var terminalName: String? { getenv("TERM").map { String(cString: $0) } }
    private var hasProgress = false
    private let mode: ProgressMode

    init(progress mode: ProgressMode = .auto) { self.mode = mode }

    /// The time between two updates of the progress: a log gets fewer lines than a terminal.
    var interval: Duration { Console.isTerminal ? .milliseconds(100) : .seconds(5) }

    /// Writes a separate line, with the name of the program in front.
    mutating func say(_ text: String) {
        clearProgress()
        Console.write("tributary: \(Console.plain(text))\n")
    }

    /// Text without control characters, which could command a terminal; names come from dumps and databases.
    private static func plain(_ text: String) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar != "\n" && scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    /// Replaces the progress line on a terminal; elsewhere it writes a line only in the mode `.always`.
    mutating func progress(_ text: @autoclosure () -> String) {
        guard mode != .never else { return }
        guard Console.isTerminal else {
            if mode == .always { Console.write(text() + "\n") }
            return
        }
        hasProgress = true
        Console.write("\r\u{1B}[2K\(text())")
    }

    /// Removes the progress line.
    mutating func clearProgress() {
        guard hasProgress else { return }
        hasProgress = false
        Console.write("\r\u{1B}[2K")
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = writeSome(STDERR_FILENO, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count <= 0 { return }
                written += count
            }
        }
    }
}
