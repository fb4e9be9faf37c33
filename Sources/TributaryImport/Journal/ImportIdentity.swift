import TributaryStore
package import TributaryJSON

/// The identity of an import: its sources, its routes, and the settings that decide its result.
///
/// An import with the same identity as an earlier one repeats it. Pace, error policy and progress are not
/// part of the identity, so that an unfinished import can be resumed with other settings for them.
package struct ImportIdentity: Sendable, Hashable, Codable {
    package typealias Route = JournalEntry.Route

    /// The names of the sources, absolute paths for files.
    package var sources: [String]
    /// The entities, and the paths and keys of their records.
    package var routes: [Route]
    /// How records with existing keys are handled.
    package var mode: ImportMode
    /// The format of the sources.
    package var format: String
    /// The names of the members for a record's own key and for a value that is not an object.
    package var memberNames: [String]
    /// How sources are read.
    package struct Reading: Sendable, Hashable, Codable {
        /// The limits.
        package var limits: ReadLimits
        /// How bytes become JSON.
        package var conversion: TextConversion

        package init(limits: ReadLimits, conversion: TextConversion) {
            (self.limits, self.conversion) = (limits, conversion)
        }
    }

    /// How the sources are read.
    package var reading: Reading
    /// The maximum number of records to read; nil for all.
    package var limit: Int?
    /// The hash of the model; empty if columns are inferred from the data.
    package var model: String
    /// The mapping of values to attributes: its text or hash, or a name for a setter.
    package var mapping: String

    /// The feed of a sync; nil for any other import.
    package var feed: String?
    /// What a sync deletes, and how; nil for the usual.
    package var deletion: String?

    /// The identity of an import of `sources`.
    package init(
        sources: [any ByteSource], routes: [Route], options: ImportOptions, model: String, mapping: String = ""
    ) {
        self.sources = sources.map(\.identityName)
        self.routes = routes
        mode = options.mode
        format = options.reading.format.rawValue
        memberNames = [options.reading.keyName, options.reading.valueName]
        reading = Reading(limits: options.reading.limits, conversion: options.reading.conversion)
        limit = options.limit
        self.model = model
        self.mapping = mapping
        let parts = [options.sync?.scope.map { "\($0)" }, options.sync?.softDelete]
        if parts.contains(where: { $0 != nil }) { deletion = parts.map { $0 ?? "" }.joined(separator: "\n") }
        feed = options.sync.map { $0.feed ?? ImportIdentity.feed(of: routes) }
    }

    /// The identity of an import by `routes`; `mappings` are those of its entities.
    package init(
        _ routes: [ImportRoute], _ sources: [any ByteSource], _ options: ImportOptions, model: String = "",
        mappings: [String] = []
    ) {
        self.init(
            sources: sources,
            routes: routes.map { route in
                Route(
                    entity: route.entityName, path: route.path?.description, key: route.key?.texts,
                    inference: route.inference, table: route.table,
                    filter: route.filter.map { "\($0.filter)" })
            }, options: options, model: model,
            mapping: (mappings + routes.compactMap { $0.condition.map { "when \($0)" } }).joined(separator: "\n"))
    }

    /// The name of a feed without one: the entities and the places of their records.
    private static func feed(of routes: [Route]) -> String {
        routes.map { route in route.entity + (route.path.map { " at \($0)" } ?? "") }.joined(separator: ", ")
    }

    /// The identity of the same import of other sources.
    package func replacing(sources: [any ByteSource]) -> ImportIdentity {
        var identity = self
        identity.sources = sources.map(\.identityName)
        return identity
    }

    /// The identity without the sources, and without whether records of changed ones are added.
    var ofAnyContent: ImportIdentity {
        var identity = replacing(sources: [])
        for index in identity.routes.indices { identity.routes[index].table?.appends = false }
        return identity
    }

    /// The identity as a text that is the same for equal identities.
    package var text: String { StoredJSON.text(self) }

    /// A hash of the text: equal for equal identities, and different for others.
    package var hash: String {
        var hasher = SHA256()
        hasher.update(text.utf8)
        return hasher.finish().prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
