/// Errors of properties that could not be read, kept until a call can throw them.
package struct ReadFailures {
    /// The number of nested calls that throw the read errors of properties.
    private var scopeCount = 0
    /// The first error since the innermost call began.
    package private(set) var first: (any Error)?

    package init() {}

    /// Whether an enclosing call can throw read errors.
    package var canThrow: Bool { scopeCount > 0 }

    /// Begins a call that can throw; returns the argument for `end`.
    package mutating func begin() -> (any Error)? {
        defer { first = nil }
        scopeCount += 1
        return first
    }

    /// Ends a call that throws its errors itself.
    package mutating func end(_ outer: (any Error)?) {
        scopeCount -= 1
        first = outer
    }

    /// Ends a call that leaves its error to the enclosing call, if there is one.
    package mutating func endKeepingFirst(_ outer: (any Error)?) {
        scopeCount -= 1
        first = outer ?? (scopeCount > 0 ? first : nil)
    }

    /// Keeps an error; false if no call can throw it.
    package mutating func record(_ error: any Error) -> Bool {
        guard scopeCount > 0 else { return false }
        first = first ?? error
        return true
    }
}
