// All that touches libpq is in this file, so that the package builds without it when the trait is disabled.
#if Postgres
    import CTributaryPostgres
    import TributaryConcurrency
    import TributaryPlatform

    /// The functions of libpq that need no connection.
    enum LibPQ {
        /// The parameters that an address gives; nil if it is invalid.
        ///
        /// The message of libpq is dropped, because it quotes the address with the password.
        static func parse(_ address: String) throws -> [String: String]? {
            var message: UnsafeMutablePointer<CChar>?
            let options = PQconninfoParse(address, &message)
            PQfreemem(message)
            return options.map(values)
        }

        /// The parameters that the environment gives.
        static var defaults: [String: String] { PQconndefaults().map(values) ?? [:] }

        /// The parameters of a list, which is freed.
        fileprivate static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
            defer { PQconninfoFree(options) }
            var values: [String: String] = [:]
            var option = options
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
                option += 1
            }
            return values
        }
    }

    /// A connection of libpq.
    final class LibPQConnection {
        private let handle: OpaquePointer
        /// Ends statements from other threads.
        let canceller: PostgresCanceller

        /// Connects; `address` is the name of the server in the reason of an error.
        init(_ parameters: [(name: String, value: String)], address: String) throws {
            for (name, value) in parameters { _ = try cText(value, "\(name) of the address") }
            let texts = parameters.map { (strdup($0.name), strdup($0.value)) }
            defer { for text in texts.flatMap({ [$0.0, $0.1] }) { free(text) } }
            let (names, values) = (texts.map { UnsafePointer($0.0) } + [nil], texts.map { UnsafePointer($0.1) } + [nil])
            guard let handle = PQconnectStartParams(names, values, 0) else {
                throw PostgresError(.resources, "libpq has no memory left")
            }
            do {
                // Only verbose messages of a failed connection have the SQLSTATE.
                PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
                // libpq would print warnings on standard error.
                PQsetNoticeProcessor(handle, { _, _ in }, nil)
                try LibPQConnection.finishConnecting(handle, address)
                PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            } catch {
                PQfinish(handle)
                throw error
            }
            self.handle = handle
            canceller = PostgresCanceller(handle)
        }

        deinit {
            canceller.end()
            PQfinish(handle)
        }

        /// Waits for the server; the loop is that of libpq's documentation.
        private static func finishConnecting(_ handle: OpaquePointer, _ address: String) throws {
            let options = PQconninfo(handle).map(LibPQ.values) ?? [:]
            let hosts = (options["host"] ?? options["hostaddr"] ?? "").split(separator: ",").count
            let seconds = options["connect_timeout"].flatMap { Int($0) } ?? 10
            // With several hosts, the system gives up an unreachable one after the time for data.
            let perHost =
                hosts > 1 ? max(seconds, (options["tcp_user_timeout"].flatMap { Int($0) } ?? 0) / 1000) : seconds
            let clock = ContinuousClock()
            let deadline = seconds > 0 ? clock.now + .seconds(perHost * max(1, hosts)) : nil
            var status = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
            while status != PGRES_POLLING_OK {
                guard status != PGRES_POLLING_FAILED else { throw connectionFailure(handle, address) }
                let left = deadline.map { clock.now.duration(to: $0) / .milliseconds(1) }
                let events = Int16(status == PGRES_POLLING_READING ? POLLIN : POLLOUT)
                var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
                let ready = poll(&descriptor, 1, left.map { Int32(max(0, $0.rounded(.up))) } ?? -1)
                if ready == 0 {
                    throw PostgresError(
                        .unreachable, "no answer from \(address) within \(perHost * max(1, hosts)) seconds")
                }
                if ready > 0 { status = PQconnectPoll(handle) }
            }
        }

        private static func connectionFailure(_ handle: OpaquePointer, _ address: String) -> PostgresError {
            LibPQFailure(String(cString: PQerrorMessage(handle)))
                .error(address, needsPassword: PQconnectionNeedsPassword(handle) != 0)
        }

        // MARK: State

        /// Whether the connection is lost.
        var isBroken: Bool { PQstatus(handle) != CONNECTION_OK }
        /// Whether a transaction is open, failed or not.
        var isInTransaction: Bool {
            [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
        }
        /// The number of the server process.
        var processID: Int32 { PQbackendPID(handle) }
        /// The version of the server, such as 150018.
        var serverVersion: Int { Int(PQserverVersion(handle)) }

        /// Sets for how long the system lets sent bytes wait for a server before the connection is lost.
        func setSendTimeout(milliseconds: Int32) {
            #if os(Linux)
                var milliseconds = milliseconds
                let size = socklen_t(MemoryLayout<Int32>.size)
                // It fails for a local socket, which needs no timeout.
                setsockopt(PQsocket(handle), Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
            #endif
        }

        // MARK: Statements

        /// Runs one statement to its end, or to the beginning of a COPY.
        func execute(_ sql: String, _ values: [PostgresValue]) throws -> PostgresResult {
            let bytes = try values.map { try $0.wireBytes() }
            let formats = values.map { value -> Int32 in if case .bytes = value { 1 } else { 0 } }
            let types = values.map { value -> Oid in if case .bytes = value { 17 } else { 0 } }
            let lengths = bytes.map { Int32(clamping: $0?.count ?? 0) }
            // One block of memory for all values, with one byte more, so that an empty value too has an address.
            let block = bytes.flatMap { value -> [UInt8] in value ?? [] } + [0]
            let result = block.withUnsafeBytes { block in
                var offset = 0
                let pointers = bytes.map { value -> UnsafePointer<CChar>? in
                    guard let value, let base = block.baseAddress else { return nil }
                    defer { offset += value.count }
                    return (base + offset).assumingMemoryBound(to: CChar.self)
                }
                return PQexecParams(handle, sql, Int32(values.count), types, pointers, lengths, formats, 0)
            }
            return try check(result)
        }

        /// Sends a part of a COPY; waits until the system takes it.
        func putCopy(_ bytes: UnsafeRawBufferPointer) throws {
            // libpq copies it first, into memory that stays in the cache of the processor.
            let step = 64 << 10
            for start in stride(from: 0, to: bytes.count, by: step) {
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + step, bytes.count)])
                let base = part.baseAddress?.assumingMemoryBound(to: CChar.self)
                if PQputCopyData(handle, base, Int32(part.count)) != 1 { throw lastError() }
            }
        }

        /// Ends a COPY to the server; with a reason, it fails.
        func endCopy(_ reason: String?) throws -> PostgresResult {
            if PQputCopyEnd(handle, reason) != 1 { throw lastError() }
            return try finish()
        }

        /// Calls `body` with the next row of a COPY from the server; false after the last one.
        func getCopy(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
            var row: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &row, 0)
            defer { PQfreemem(row) }
            if count == -2 { throw lastError() }
            guard count >= 0 else { return false }
            try body(UnsafeRawBufferPointer(start: row, count: Int(count)))
            return true
        }

        /// The result of a COPY after its last row.
        func finish() throws -> PostgresResult {
            let empty = try PostgresResult(PQmakeEmptyPGresult(handle, PGRES_COMMAND_OK))
            var last = Result<PostgresResult, any Error>.success(empty)
            while let next = PQgetResult(handle) {
                let checked = Result { try check(next) }
                // The first error is the one to report.
                if case .success = last { last = checked }
                // A lost connection would report the same state for ever.
                if isBroken { break }
            }
            return try last.get()
        }

        private func check(_ pointer: OpaquePointer?) throws -> PostgresResult {
            guard let pointer else { throw lastError() }
            let result = try PostgresResult(pointer)
            switch PQresultStatus(pointer) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_COPY_IN, PGRES_COPY_OUT: return result
            default: throw result.error(isConnectionLost: isBroken)
            }
        }

        private func lastError() -> PostgresError {
            let message = LibPQFailure(String(cString: PQerrorMessage(handle))).text
            return PostgresError(isBroken ? .connectionLost : .server, message)
        }
    }

    /// The rows of a statement, and the number of rows it changed.
    package final class PostgresResult {
        private let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer?) throws {
            guard let handle else { throw PostgresError(.resources, "libpq has no memory left") }
            self.handle = handle
        }

        deinit { PQclear(handle) }

        var isCopyIn: Bool { PQresultStatus(handle) == PGRES_COPY_IN }
        var isCopyOut: Bool { PQresultStatus(handle) == PGRES_COPY_OUT }
        /// The number of rows in the result.
        package var rowCount: Int { Int(PQntuples(handle)) }
        /// The number of columns in the result.
        package var columnCount: Int { Int(PQnfields(handle)) }
        /// The words of the server for the statement, such as `INSERT 0 5`.
        var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }
        /// The number of rows that the statement inserted, updated, deleted, selected or copied.
        package var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

        /// The bytes of a field, which are valid as long as the result; nil is null.
        func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
            precondition(0..<rowCount ~= row && 0..<columnCount ~= column, "the result has no field \(row), \(column)")
            let (row, column) = (Int32(row), Int32(column))
            guard PQgetisnull(handle, row, column) == 0 else { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
        }

        /// The error of a failed statement.
        fileprivate func error(isConnectionLost: Bool) -> PostgresError {
            // The letters are those of `PG_DIAG_SQLSTATE` and so on, which Swift does not import.
            func field(_ letter: Character) -> String? {
                PQresultErrorField(handle, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
            }
            let message = field("M") ?? LibPQFailure(String(cString: PQresultErrorMessage(handle))).text
            let state = field("C")
            let code = state.map(PostgresError.Code.init(sqlState:)) ?? .server
            var error = PostgresError(code, message, sqlState: state, hint: code.hint ?? field("H"))
            (error.detail, error.constraint) = (field("D"), field("n"))
            (error.table, error.column) = (field("t"), field("c"))
            return isConnectionLost && !error.isConnectionLost ? error.with(.connectionLost) : error
        }
    }

    /// Ends the current statement of a connection, from any thread.
    package final class PostgresCanceller: Sendable {
        /// What libpq needs to cancel a statement; nil after the end of the connection.
        private let request: Guarded<OpaquePointer?>
        /// A descriptor of the socket that libpq cannot close, so that its number is never that of another file.
        private let socket: Guarded<Int32>

        fileprivate init(_ handle: OpaquePointer) {
            socket = Guarded(fcntl(PQsocket(handle), F_DUPFD_CLOEXEC, 0))
            // `PQcancel` may be called from any thread, as its documentation says; the lock keeps it from a freed object.
            nonisolated(unsafe) let request = PQgetCancel(handle)
            self.request = Guarded(request)
        }

        /// Asks the server to cancel the current statement, which then fails with `cancelled`.
        ///
        /// A request that arrives after the statement may cancel the next one.
        package func cancel() {
            request.withLock { request in
                guard let request else { return }
                var message = [CChar](repeating: 0, count: 256)
                // If the server cannot be reached, the connection is lost too, and the statement ends with that error.
                _ = PQcancel(request, &message, Int32(message.count))
            }
        }

        /// Ends the connection at once; a thread that waits for the server continues with `connectionLost`.
        ///
        /// The server rolls the open transaction back.
        package func disconnect() { socket.withLock { socket in _ = shutdown(socket, Int32(SHUT_RDWR)) } }

        fileprivate func end() {
            request.withLock { request in
                PQfreeCancel(request)
                request = nil
            }
            socket.withLock { socket in
                if socket >= 0 { close(socket) }
                socket = -1
            }
        }
    }
#else
    // Without libpq there are no connections, so the classes have no instances, and their members never run.

    /// The absence of libpq.
    enum LibPQ {
        static let missing = PostgresError(.trait, "this program cannot connect to PostgreSQL")
        static let defaults: [String: String] = [:]
        static func parse(_ address: String) throws -> [String: String]? { throw missing }
    }

    private func unreachable() -> Never { preconditionFailure("an object of libpq exists without libpq") }

    /// A connection that cannot exist.
    final class LibPQConnection {
        init(_ parameters: [(name: String, value: String)], address: String) throws { throw LibPQ.missing }
        var canceller: PostgresCanceller { unreachable() }
        var isBroken: Bool { unreachable() }
        var isInTransaction: Bool { unreachable() }
        var processID: Int32 { unreachable() }
        var serverVersion: Int { unreachable() }
        func setSendTimeout(milliseconds: Int32) { unreachable() }
        func execute(_ sql: String, _ values: [PostgresValue]) throws -> PostgresResult { unreachable() }
        func putCopy(_ bytes: UnsafeRawBufferPointer) throws { unreachable() }
        func endCopy(_ reason: String?) throws -> PostgresResult { unreachable() }
        func getCopy(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool { unreachable() }
        func finish() throws -> PostgresResult { unreachable() }
    }

    /// A result that cannot exist.
    package final class PostgresResult {
        private init() {}
        var isCopyIn: Bool { unreachable() }
        var isCopyOut: Bool { unreachable() }
        package var rowCount: Int { unreachable() }
        package var columnCount: Int { unreachable() }
        var tag: String { unreachable() }
        package var affectedRows: Int { unreachable() }
        func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? { unreachable() }
    }

    /// A canceller that cannot exist.
    package final class PostgresCanceller: Sendable {
        private init() {}
        package func cancel() { unreachable() }
        package func disconnect() { unreachable() }
    }
#endif
