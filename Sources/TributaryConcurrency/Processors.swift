import CTributaryThread

/// The processors of the machine.
package enum Processors {
    /// How many processors this process may use; a process can be held to a few of them.
    package static let count = Int(tributary_processors())
}
