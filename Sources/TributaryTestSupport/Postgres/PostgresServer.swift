import Foundation
public import TributaryPostgres
import TributaryPlatform

/// A PostgreSQL server for the tests of this process, which ends with it.
///
/// The first test that needs it starts it. A file next to its folder is locked as long as the process lives, so that a
/// later process recognizes the server of one that was killed, and deletes it.
public final class PostgresServer: Sendable {
    /// The reason why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        /// What to do.
        public let description: String
    }

    /// The address of the database `tributary`, as a superuser.
    public let address: PostgresAddress
    /// The same as a text.
    public let addressText: String
    /// The port on this computer.
    public let port: UInt16
    /// The folder of the server; its log is `data/log`.
    public let folder: String

    private static let prefix = "tributary-postgres-tests-"
    private static let script = Tool(Tool.package.appending(path: "scripts/postgres").path)
    private static let started = Result { try PostgresServer() }

    /// The server of this process.
    ///
    /// - Throws: `Failure` if it cannot start, such as without the server programs of PostgreSQL.
    public static func shared() throws -> PostgresServer { try started.get() }

    /// A server for one test, which ends it with `remove()`.
    public static func own() throws -> PostgresServer { try PostgresServer() }

    private init() throws {
        PostgresServer.removeAbandoned()
        folder = try PostgresServer.claimFolder()
        let outcome = try PostgresServer.script.run(["up", folder])
        guard outcome.code == 0, let line = outcome.lines.first, let port = URL(string: line)?.port else {
            throw Failure(description: "the tests need a PostgreSQL server: \(outcome.error)")
        }
        addressText = line
        address = try PostgresAddress(line)
        self.port = UInt16(clamping: port)
        // A closure of C has no context, but can use what is static.
        atexit {
            if case .success(let server) = PostgresServer.started { PostgresServer.remove(server.folder) }
        }
    }

    /// The address of a new, empty schema, which no other test uses.
    public func newSchema() throws -> PostgresAddress { try PostgresAddress(newSchemaText()) }

    /// The same as a text.
    ///
    /// - Parameter port: The port to connect to, such as that of a `PostgresProxy`; nil is the server itself.
    /// - Returns: The address.
    /// - Throws: `PostgresError`.
    public func newSchemaText(port: UInt16? = nil) throws -> String {
        let name = "t" + UUID().uuidString.lowercased().replacing("-", with: "")
        let connection = try PostgresConnection(address, role: "tests")
        try connection.execute("CREATE SCHEMA \(name: name)")
        return text(port: port, parameters: "?options=-csearch_path%3D\(name)")
    }

    /// An address of the server with other parts.
    public func text(
        user: String = "tributary", port: UInt16? = nil, database: String = "tributary", parameters: String = ""
    ) -> String {
        "postgres://\(user)@127.0.0.1:\(port ?? self.port)/\(database)\(parameters)"
    }

    // MARK: Faults

    /// Kills the server, and starts it again on its port.
    ///
    /// - Throws: `Failure` if it does not start.
    public func killAndRestart() throws {
        let lines = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
        guard let process = lines.first.flatMap({ Int32($0) }), kill(process, SIGKILL) == 0 else {
            throw Failure(description: "the server does not run")
        }
        // It starts once the processes of its connections have noticed.
        var outcome = try PostgresServer.script.run(["up", folder, "\(port)"])
        for _ in 0..<1000 where outcome.code != 0 {
            usleep(100_000)
            outcome = try PostgresServer.script.run(["up", folder, "\(port)"])
        }
        guard outcome.code == 0 else { throw Failure(description: "the server does not start: \(outcome.error)") }
    }

    /// Ends the server and deletes its data.
    public func remove() { PostgresServer.remove(folder) }

    // MARK: Servers of ended processes

    /// A new path whose lock this process holds until it ends.
    private static func claimFolder() throws -> String {
        while true {
            let path = FileManager.default.temporaryDirectory.appending(path: prefix + UUID().uuidString).path
            let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw Failure(description: "\(path).lock cannot be created: \(String(cString: strerror(errno)))")
            }
            // A process that removes abandoned servers may be faster, and then deletes the file.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return path }
            close(descriptor)
        }
    }

    private static func removeAbandoned() {
        let temporary = FileManager.default.temporaryDirectory
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(".lock") {
            let path = temporary.appending(path: name).path
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(String(path.dropLast(".lock".count))) }
            close(descriptor)
        }
    }

    private static func remove(_ folder: String) {
        if (try? script.run(["down", folder]))?.code == 0 { unlink(folder + ".lock") }
    }
}
