/// The objects whose relationships have changed, by primary key.
package struct LinkChanges: Sendable {
    /// The sources of pairs that were added, removed or moved.
    package var sources: Set<Int64> = []
    /// The targets of pairs that were added, removed or moved.
    package var targets: Set<Int64> = []
    /// The rows of owners whose events have changed something, as their events name them.
    package var rows: [Int] = []
    /// The targets without a source, which they need.
    package var orphans: [Int64] = []

    package init() {}
}
