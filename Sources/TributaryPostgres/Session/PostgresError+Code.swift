extension PostgresError {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String
        /// How to continue.
        let hint: String?

        private init(_ name: String, hint: String? = nil) {
            self.name = name
            self.hint = hint
        }

        /// The name.
        public var description: String { name }

        // MARK: Connecting

        /// This build cannot connect, because the package was built without the trait `Postgres`.
        public static let trait = Code("postgres.trait", hint: "build with the package trait Postgres")
        /// The text is not a valid address.
        public static let address = Code(
            "postgres.address", hint: "write it as postgres://user@host:port/database; encode other characters as %XX")
        /// No server accepts connections there, or none answers.
        public static let unreachable = Code(
            "postgres.unreachable",
            hint: "check the host and the port, and that the server runs and accepts connections from here")
        /// The name of the host has no address.
        public static let unknownHost = Code("postgres.host", hint: "check the name of the host")
        /// No encrypted connection is possible, or the certificate of the server is not trusted.
        public static let encryption = Code(
            "postgres.tls", hint: "check the TLS settings of the server, and sslmode and sslrootcert of the address")
        /// The server asks for a password, and none is known.
        public static let missingPassword = Code(
            "postgres.password-missing", hint: "set PGPASSWORD, or add a line to ~/.pgpass")
        /// The password is wrong, or the role does not exist.
        public static let wrongPassword = Code(
            "postgres.password", hint: "check the user of the address, and the password in PGPASSWORD or ~/.pgpass")
        /// The role does not exist, or the server does not let it connect from here.
        public static let role = Code(
            "postgres.role",
            hint: "check the user of the address, or let it connect by a line in pg_hba.conf of the server")
        /// The database does not exist.
        public static let unknownDatabase = Code(
            "postgres.database", hint: "check the database of the address, or create it with createdb")
        /// The server or the role has no connection left.
        public static let tooManyConnections = Code(
            "postgres.connections", hint: "use fewer connections, close others, or raise max_connections of the server")

        // MARK: The connection

        /// The connection was lost, and with it the transaction.
        public static let connectionLost = Code(
            "postgres.lost", hint: "connect again; the open transaction was rolled back")
        /// The connection was lost during a commit, so the transaction may be committed or not.
        public static let commitUnknown = Code(
            "postgres.commit-unknown", hint: "connect again, and check whether the transaction was committed")
        /// A commit found a failed transaction, which it rolled back.
        public static let rolledBack = Code(
            "postgres.rolled-back", hint: "let the error of a statement end the transaction, or use a savepoint")
        /// The server shuts down or starts up.
        public static let shutdown = Code("postgres.shutdown", hint: "try again when the server runs")
        /// The server closed a connection that was idle for too long.
        public static let idle = Code("postgres.idle", hint: "connect again; the open transaction was rolled back")
        /// A statement was cancelled, or ran longer than `statement_timeout`.
        public static let cancelled = Code("postgres.cancelled")

        // MARK: Statements

        /// The role lacks a privilege.
        public static let permission = Code(
            "postgres.permission", hint: "grant it to the user of the address, or connect as another one")
        /// The server, the database or the transaction is read-only.
        public static let readOnly = Code(
            "postgres.read-only",
            hint: "connect to the primary server, and check default_transaction_read_only")
        /// The disk of the server is full.
        public static let diskFull = Code("postgres.full", hint: "free disk space on the server, then try again")
        /// The server lacks memory or another resource.
        public static let resources = Code(
            "postgres.resources", hint: "check the memory and the settings of the server, then try again")
        /// A table does not exist.
        public static let unknownTable = Code(
            "postgres.table", hint: "check the name and the schema; another session may have dropped or renamed it")
        /// A column does not exist.
        public static let unknownColumn = Code(
            "postgres.column", hint: "check the name; another session may have dropped or renamed it")
        /// A schema does not exist.
        public static let unknownSchema = Code(
            "postgres.schema", hint: "check search_path, or create it with CREATE SCHEMA")
        /// A row violates a constraint.
        public static let constraint = Code("postgres.constraint")
        /// A value does not fit its type.
        public static let data = Code("postgres.data")
        /// Two transactions waited for each other.
        public static let deadlock = Code("postgres.deadlock", hint: "repeat the transaction")
        /// A concurrent transaction changed the same rows.
        public static let serialization = Code("postgres.serialization", hint: "repeat the transaction")
        /// A lock was not available in time.
        public static let lock = Code(
            "postgres.lock", hint: "try again when the other transaction has ended, or import with one connection")
        /// A name or a text that PostgreSQL cannot hold.
        public static let text = Code("postgres.text")
        /// A function was called in a state in which it cannot work.
        public static let misuse = Code("postgres.misuse")
        /// Another error of the server, which its SQLSTATE tells.
        public static let server = Code("postgres.server")
    }
}

extension PostgresError.Code {
    /// The kind of a SQLSTATE; see "PostgreSQL Error Codes" in its documentation.
    init(sqlState: String) {
        switch sqlState {
        case "28P01": self = .wrongPassword
        case "3D000": self = .unknownDatabase
        case "53300": self = .tooManyConnections
        case "53100": self = .diskFull
        case "57P01", "57P02", "57P03": self = .shutdown
        case "57P05", "25P03": self = .idle
        case "57014": self = .cancelled
        case "42501": self = .permission
        case "25006": self = .readOnly
        case "42P01": self = .unknownTable
        case "42703": self = .unknownColumn
        case "3F000": self = .unknownSchema
        case "40P01": self = .deadlock
        case "40001": self = .serialization
        case "40003": self = .commitUnknown
        // A value of COPY has another form than the column.
        case "08P01": self = .data
        case "55P03": self = .lock
        default:
            switch sqlState.prefix(2) {
            case "08": self = .connectionLost
            case "22": self = .data
            case "23": self = .constraint
            case "28": self = .role
            case "53": self = .resources
            default: self = .server
            }
        }
    }
}
