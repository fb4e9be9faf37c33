/// The error of an invalid command line; the message shows how to correct it.
package struct UsageError: Error, Equatable {
    package let message: String
    /// The command whose help explains more.
    package var command: String?

    package init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}
