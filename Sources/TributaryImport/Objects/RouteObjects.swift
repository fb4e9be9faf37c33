package import TributaryStore

/// The parts of a route that turn its records into objects.
package struct RouteObjects: Sendable {
    package let key: RecordKey
    /// All columns of the entity.
    package let table: BulkTable
    package let route: any ObjectRoute
    /// The mapping as text, to identify the import; the same for all closures.
    let mapping: String
}
