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
    package let memory: ImportMemory

    /// Resolves `routes`, whose records become rows of entities of `model`.
    ///
    /// The identity of the import has the routes `described`: `routes` unless they stand for others. With `isInferred`
    /// the model was made from the data, so that it is no part of the identity.
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
            resolved.append(
                Route(route: route, entity: mapping.entity, table: maker.table, paths: maker.mappedPaths))
        }
        self.routes = resolved
        memory = ImportMemory(options.maxMemory, isRelated: isRelated)
        maker = ChunkMaker(
            makings: makings, related: related, tables: Array(routes.indices),
            tableCount: max(routes.count, related?.tableCount ?? 0),
            choice: RouteChoice(routes), keepsFeedOrder: false,
            stopsAtReject: options.onError == .stop, rejectedBytes: options.reading.limits.rejectedBytes)
        maker.rowMemory = RowMemory(keeping: memory.feed)
        identity = ImportIdentity(
            described, sources, options, model: isInferred ? "" : model.identityText,
            mappings: isInferred
                ? [] : mappings.map { "\($0.entity.name): \($0.description)" } + (related?.mappings ?? []))
    }

    /// Checks each row by what `makeCheck` returns; `keepsRecords` says whether the target may refuse a row later.
    package mutating func check(keepsRecords: Bool, by makeCheck: @escaping RowCheckMaker) {
        maker.makeCheck = makeCheck
        maker.keepsRecords = keepsRecords
    }

    /// A feed of prepared chunks, which begins where a journal says.
    package func makeFeed(
        _ sources: [any ByteSource], _ options: ImportOptions, from journal: Journal? = nil, watch: ImportWatch
    ) -> ChunkFeed {
        ChunkFeed(sources, maker, nil, options, memory, from: journal, watch)
    }

    /// A feed of the chunks of a range of a file.
    package func makeFeed(
        _ range: RecordRange, of file: FileSource, _ options: ImportOptions, watch: ImportWatch
    ) -> ChunkFeed {
        ChunkFeed(
            RecordReader(from: file, options: reading(options), range: range), maker, nil, jobs: options.threads,
            queueBytes: memory.feed, limit: nil, watch)
    }

    /// How the parts of a file are read: damage is an error.
    package func reading(_ options: ImportOptions) -> ReadOptions {
        var reading = maker.reading(options, memory)
        reading.onError = .stop
        return reading
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
                summary.add(part, of: route.entity, route.paths)
            }
            if let related, let nested = chunk.related { summary.add(nested, of: related.units) }
        }
    }
}

extension RowMaker {
    /// The path of each attribute that records set.
    var mappedPaths: [MappedPath] {
        paths.enumerated().map { number, path in
            let column = firstColumn + number
            return MappedPath(table.columns[column].attributeName, path, isKey: table.key.contains(column))
        }
    }
}
