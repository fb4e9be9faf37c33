import Foundation

/// A process that works on ranges, as other processes see it.
struct RangeOwner: Sendable {
    /// The host, the process, and a number that no other import of the process has.
    let name: String

    /// A new owner.
    init() {
        let process = ProcessInfo.processInfo
        let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        name = "\(process.hostName), process \(process.processIdentifier), \(number)"
    }
}
