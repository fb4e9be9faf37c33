import TributaryHTTP
import TributaryPlatform

/// How the command reads addresses.
enum WebOptions {
    /// The variable with a header that a server may need.
    private static let variable = "TRIBUTARY_HTTP_AUTHORIZATION"

    /// The settings for the operands of a command line; warns of a password that other users can see.
    static func settings(for operands: [String], isQuiet: Bool) throws(UsageError) -> URLSource.Settings {
        let addresses = operands.compactMap { WebAddress($0) }
        var settings = URLSource.Settings()
        guard !addresses.isEmpty else { return settings }
        settings.authorization = getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        if settings.authorization?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) ?? false {
            throw UsageError(
                "\(variable) has a line end or another control character; set it to a text like 'Bearer TOKEN'")
        }
        // Each such connection holds what it has received until it is read.
        settings.keepsFirstConnection = addresses.count <= 8
        if !isQuiet, addresses.contains(where: \.hasPassword) {
            var console = Console()
            console.say(
                "other users of this computer can see the password in the address while the command runs; use ~/.netrc")
        }
        return settings
    }
}
