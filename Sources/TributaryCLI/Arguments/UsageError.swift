/// A command line that cannot be understood; the message says what to type instead.
struct UsageError: Error, Equatable {
    let message: String
    /// The command whose help would tell more.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}
