extension PostgresAddress {
    /// Whether the address itself has a password, which other users of the computer can see in a list of processes.
    public var hasPassword: Bool { parameters["password"] != nil }
}
