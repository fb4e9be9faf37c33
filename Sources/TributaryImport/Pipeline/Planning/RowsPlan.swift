package import TributaryStore
package import TributaryJSON

/// An import of rows, checked and resolved against a model alone: what is read, and how records become rows.
///
/// The target is another database than a store of this library; what it cannot hold is found by a check of each row.
package struct RowsPlan: Sendable {
    /// A route with its entity.
    package struct Route: Sendable {
        package let route: ImportRoute
        package let entity: Entity
        /// The columns of its rows, and its key.
        package let table: BulkTable
        /// For each column the path of its member.
        package let paths: [MappedPath]
    }

    package let routes: [Route]
    /// The tables of nested objects; nil if no route has relations.
    package let related: RelatedPlan?
    package private(set) var maker: ChunkMaker
    package let identity: ImportIdentity
    let memory: ImportMemory

    /// Resolves `routes`, whose records become rows of entities of `model`.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - described: The routes as the identity of the import has them; `routes` unless they stand for others.
    ///   - sources: The sources.
    ///   - model: The model.
    ///   - options: The options.
    ///   - isInferred: Whether the model was made from the data, so that it is no part of the identity.
    /// - Throws: `ImportError` if a route, a mapping or an option cannot be used.
    package init(
        _ routes: [ImportRoute], described: [ImportRoute], sources: [any ByteSource], model: Model,
        options: ImportOptions, isInferred: Bool
    ) throws {
        let resolver = MappingResolver(options.mappings)
        let schema = Schema(model)
        var (resolved, mappings, makings): ([Route], [EntityMapping], [ChunkMaker.Making]) = ([], [], [])
        for name in options.mappings.entities.keys.sorted() where model[name] == nil {
            throw ImportError.unknownEntity(name, in: model)
        }
        for route in routes {
            guard let entity = model[route.entityName] else {
                throw ImportError.unknownEntity(route.entityName, in: model)
            }
            let mapping = try resolver.resolve(entity, route.mapping, key: route.key, isKeyless: route.isKeyless)
            mappings.append(mapping)
        }
        let isRelated = mappings.contains { !$0.relations.isEmpty }
        related = try RelatedPlan(mappings, resolver, schema, options)
        for (index, (route, mapping)) in zip(routes, mappings).enumerated() {
            let maker = try related.map { $0.units[$0.unitOfRoute[index]].maker } ?? RowMaker(mapping, schema)
            makings.append(isRelated ? .related(mapping) : .rows(maker))
            let paths = maker.paths.enumerated().map { number, path in
                let column = maker.table.columns[maker.firstColumn + number]
                return MappedPath(
                    column.attributeName, path, isKey: maker.table.key.contains(maker.firstColumn + number))
            }
            resolved.append(Route(route: route, entity: mapping.entity, table: maker.table, paths: paths))
        }
        self.routes = resolved
        memory = ImportMemory(options.maxMemory, isRelated: isRelated)
        maker = ChunkMaker(
            makings: makings, related: related, tables: Array(routes.indices),
            tableCount: max(routes.count, related?.tableCount ?? 0),
            choice: RouteChoice(routes), keepsFeedOrder: false,
            stopsAtReject: options.onError == .stop, rejectedBytes: options.reading.limits.rejectedBytes)
        identity = ImportIdentity(
            described, sources, options, model: isInferred ? "" : model.identityText,
            mappings: isInferred
                ? [] : mappings.map { "\($0.entity.name): \($0.description)" } + (related?.mappings ?? []))
    }

    /// Checks each row by `check`; `keepsRecords` says whether the target may refuse a row later.
    package mutating func check(keepsRecords: Bool, _ check: @escaping RowCheck) {
        maker.check = check
        maker.keepsRecords = keepsRecords
    }

    /// The bytes of rows that may wait to be written.
    package var groupBytes: Int { memory.group }
    /// The bytes of prepared rows that may wait to be collected.
    package var queueBytes: Int { memory.feed }
    /// The bytes of a filter of keys.
    package var filterBytes: Int { memory.filter }

    /// A feed of prepared chunks.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - options: The options of the import.
    ///   - start: Where reading begins; nil for the beginning.
    ///   - expected: The digest that the bytes before it must have.
    ///   - limit: The number of records to read, at most; nil for all.
    ///   - watch: The watch of the import.
    /// - Returns: The feed, which is not started.
    package func makeFeed(
        _ sources: [any ByteSource], _ options: ImportOptions, from start: Checkpoint?, expected: DigestMark?,
        limit: Int?, watch: ImportWatch
    ) -> ChunkFeed {
        let reading = maker.reading(options, memory, isDigested: true)
        return makeFeed(
            RecordReader(from: sources, options: reading, resumingAt: start, expected: expected), options, limit: limit,
            watch: watch)
    }

    /// A feed of the chunks of a range of a file.
    package func makeFeed(
        _ range: RecordRange, of file: FileSource, _ options: ImportOptions, watch: ImportWatch
    ) -> ChunkFeed {
        makeFeed(RecordReader(from: file, options: reading(options), range: range), options, limit: nil, watch: watch)
    }

    /// How the parts of a file are read: damage is an error.
    package func reading(_ options: ImportOptions) -> ReadOptions {
        var reading = maker.reading(options, memory)
        reading.onError = .stop
        return reading
    }

    private func makeFeed(
        _ reader: RecordReader, _ options: ImportOptions, limit: Int?, watch: ImportWatch
    ) -> ChunkFeed {
        ChunkFeed(reader, maker, nil, jobs: options.threads, queueBytes: memory.feed, limit: limit, watch)
    }
}

extension RowsPlan {
    /// The records of the rows of a route in chunks.
    package func finder(_ chunks: [PreparedChunk], route: Int) -> RecordFinder {
        RecordFinder(chunks[...], maker, route: route)
    }

    /// The index of the route that takes a record.
    package func route(of record: Record) -> Int { maker.choice.route(of: record) ?? 0 }

    /// Adds what became of members of the records of chunks to a summary.
    package func note(_ chunks: [PreparedChunk], in summary: inout ImportSummary) {
        for chunk in chunks {
            for part in chunk.parts {
                let route = routes[part.route]
                if !part.mapping.isEmpty { summary.add(part.mapping, of: route.entity.name) }
                summary.add(matched: part.matchedPaths, of: route.paths, entity: route.entity.name)
            }
            if let related, let nested = chunk.related { summary.add(nested, of: related.units) }
        }
    }
}
