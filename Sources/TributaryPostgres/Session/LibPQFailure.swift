/// The message of libpq for a failure that has no result, such as that of a connection.
struct LibPQFailure {
    /// The message without the place in the source code of the server.
    let text: String
    /// The last SQLSTATE in the message; several servers may have been tried.
    let sqlState: String?
    /// The message as it is.
    private let message: String

    /// Reads a message.
    ///
    /// A verbose one has lines such as `FATAL:  3D000: database "x" does not exist`. The word before the SQLSTATE
    /// depends on the language of the server, and the SQLSTATE does not.
    init(_ message: String) {
        self.message = message
        var state: String?
        var lines: [String] = []
        for line in message.split(separator: "\n") {
            if let match = line.firstMatch(of: /:\x20\x20(?<state>[0-9A-Z]{5}):\x20/) {
                state = String(match.state)
                lines.append(String(line[..<match.range.lowerBound] + ": " + line[match.range.upperBound...]))
            } else if !line.contains(/^\S+:\x20\x20\w+,\x20\w+\.c:\d+$/) {
                lines.append(line.trimmingPrefix(while: \.isWhitespace).description)
            }
        }
        text = lines.isEmpty ? "the connection to the server was lost" : lines.joined(separator: "; ")
        sqlState = state
    }

    /// The error of a connection that failed.
    func error(_ address: String, needsPassword: Bool) -> PostgresError {
        let reason = "cannot connect to \(address): \(text)"
        if needsPassword { return PostgresError(.missingPassword, reason, sqlState: sqlState) }
        if let sqlState { return PostgresError(PostgresError.Code(sqlState: sqlState), reason, sqlState: sqlState) }
        // libpq has no code for what fails on this side, and speaks the language of the process, which is English
        // unless it has called `setlocale`. Otherwise only the hint is less exact.
        let kinds: [(words: String, code: PostgresError.Code)] = [
            ("could not translate host name", .unknownHost), ("SSL", .encryption), ("certificate", .encryption),
            ("invalid", .address),
        ]
        return PostgresError(kinds.first { text.contains($0.words) }?.code ?? .unreachable, reason)
    }
}
