import TributarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that has the connection that writes, so that what it calls goes through that as well.
///
/// `@unchecked Sendable`: the connection is given to nobody but the thread that has made the session.
struct StoreSession: @unchecked Sendable {
    private let held: Connection
    private let thread = pthread_self()

    init(_ connection: Connection) { held = connection }

    /// The connection, for the thread that has it.
    var connection: Connection? { pthread_equal(thread, pthread_self()) != 0 ? held : nil }
}
