extension URLSource {
    /// How an address is read.
    public struct Settings: Sendable {
        /// The value of a header `Authorization`, such as `Bearer TOKEN`; it is not sent to other hosts after a redirect.
        public var authorization: String?
        /// The seconds in which a connection must be made.
        public var connectTimeout = 30.0
        /// The seconds after which a connection that gives fewer than 1,024 bytes counts as broken.
        public var idleTimeout = 30.0
        /// How often in a row a connection may break without giving 1,024 bytes.
        public var maxAttempts = 12
        /// The seconds before the first new connection; each further one waits twice as long, up to 30 seconds.
        public var retryDelay = 0.1
        /// The bytes that are received before they are read.
        public var bufferBytes = 4 << 20
        /// Whether the connection that has told length and version is used for the first reading.
        package var keepsFirstConnection = true
        /// Whether waiting for an answer ends.
        package var isStopped: @Sendable () -> Bool = { false }

        /// The defaults.
        public init() {}
    }
}
