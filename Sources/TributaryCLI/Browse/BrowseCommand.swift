import TributaryBrowse
import TributaryImport
import TributaryPlatform

/// `tributary browse`: shows a database in a browser.
package struct BrowseCommand: StoppableCommand {
    /// The help and the options.
    package static let spec = CommandSpec(
        name: "browse",
        summary: "Show a database in a browser: rows, relations, runs, rejects, a running import",
        operands: "[OPTIONS] DB",
        examples: ["tributary browse app.sqlite --open", "tributary browse other.sqlite --port 8080"],
        discussion: """
            DB is any database of SQLite, which is only read. The command prints an address of this computer and serves
            it until Ctrl-C. Only a browser that opens the whole address is let in: it contains a secret, and other
            computers, other users and other pages have no access.
            """,
        options: [
            OptionSpec(
                "--port", as: .number(1, 65535), default: "a free one", help: "Port on 127.0.0.1"),
            OptionSpec("--open", help: "Open the page in the browser of the system"),
            OutputOptions.quiet,
        ],
        noPostgres: "a page shows databases of SQLite only; use psql")

    /// The database.
    let database: DatabaseName
    /// The port; nil for a free one.
    let port: Int?
    /// Whether a browser is started.
    let opensBrowser: Bool

    /// The command of a command line.
    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database()
        port = try parsed.number("--port")
        opensBrowser = parsed.has("--open")
    }

    /// Serves until `signals` stops it.
    func run(_ signals: StopSignals) throws -> Int32 {
        _ = try BrowsedDatabase(path: database.text, limit: .seconds(60))
        let server = try PageServer(DatabaseSite(path: database.text), port: UInt16(port ?? 0))
        defer { server.stop() }
        try OutputFile(stop: signals.descriptor).end("\(server.address)\n")
        var console = Console()
        console.say("open this address in a browser; Ctrl-C ends it")
        let page = opensBrowser ? try RedirectPage(to: server.address) : nil
        defer { page?.remove() }
        page?.open()
        while signals.exitCode == nil {
            var polled = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, -1)
        }
        return signals.exitCode ?? ExitCode.success
    }
}
