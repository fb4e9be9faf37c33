import TributarySQLite

/// The changes that a migration from one model to another carries out.
///
///     let plan = MigrationPlan(from: first, to: second)
///     print(plan)  // renames the attribute Book.name to Book.title
public struct MigrationPlan: Sendable, CustomStringConvertible {
    /// The model before the migration.
    public let source: Model
    /// The model after it.
    public let destination: Model
    /// The changes, in the order of the later model; what is removed comes last.
    public private(set) var changes: [MigrationChange]
    /// What cannot be inferred, each with what to do; with any, a store is not migrated.
    public let refusals: [String]
    /// The steps of this migration.
    let steps: [MigrationStep]
    private let match: ModelMatch

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - source: The model before the migration.
    ///   - destination: The model after it.
    ///   - steps: What cannot be inferred; steps to other models are ignored.
    ///   - isReversed: Whether `destination` is the earlier version, whose names the renaming identifiers of `source` are.
    public init(
        from source: Model, to destination: Model, steps: [MigrationStep] = [], isReversed: Bool = false
    ) {
        (self.source, self.destination) = (source, destination)
        // A step leads to a later version.
        let hasSteps = !isReversed && !MigrationPlan.areEqual(source, destination)
        self.steps = hasSteps ? steps.filter { MigrationPlan.areEqual($0.model, destination) } : []
        var (sets, reads): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        var faults: [String] = []
        let names = ModelMatch(source, destination, isReversed: isReversed)
        for case .values(let name, let read, let set, _) in self.steps.map(\.work) {
            guard let entity = destination[name] else {
                faults.append("a custom step computes values of \(name), but the model has no such entity")
                continue
            }
            for attribute in set where entity.attribute(named: attribute).map(\.isTransient) ?? true {
                faults.append("a custom step computes \(name).\(attribute), but the model stores no such attribute")
            }
            sets[name, default: []].formUnion(set)
            for one in [entity] + entity.descendants {
                guard let earlier = names.source(of: one) else { continue }
                for attribute in read
                where earlier.attribute(named: attribute).map(\.isTransient) ?? true && one == entity {
                    faults.append(
                        "a custom step reads \(earlier.name).\(attribute), but the earlier model stores no such attribute"
                    )
                }
                // Its removal is reported for the entity that declares it.
                reads[earlier.name, default: []].formUnion(read)
            }
        }
        match = ModelMatch(source, destination, computed: sets, isReversed: isReversed)
        let compared = ModelChanges(match, read: reads)
        changes = compared.changes
        refusals = faults + compared.refusals
    }

    /// The plans for a database, from the model that is saved in it.
    ///
    /// - Parameters:
    ///   - location: The database, which is only read; a store in memory needs no migration.
    ///   - model: The model after the migration.
    ///   - options: The versions between the models, and custom steps.
    /// - Returns: A plan for each version on the way; one without changes if only details differ that are not part of
    ///   a version, such as indexes and defaults; none if nothing differs.
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`.
    public static func plans(
        for location: StoreLocation, to model: Model, options: MigrationOptions = MigrationOptions()
    ) throws -> [MigrationPlan] {
        guard case .sqlite(let path) = location else { return [] }
        let found = try StoreInspection.read(path) { connection in
            (
                model: try StoredModel.read(on: connection), runs: try RunTable.withChanges(on: connection),
                indexes: try SearchIndex.all(isOwn: true, on: connection)
            )
        }
        guard let found, let stored = found.model else { throw missing(path) }
        let earlier = try Model(stored)
        guard earlier.declaration != model.declaration else { return [] }
        var plans = plans(from: earlier, to: model, options)
        if let first = plans.firstIndex(where: \.forgetsChanges) {
            plans[first].changes += found.runs.map { MigrationChange("forgets the changes kept by run \($0)") }
        }
        for index in found.indexes {
            var index = Optional(index)
            for place in plans.indices {
                guard let earlier = index else { break }
                let tables = plans[place].script(nil).tables
                plans[place].changes += tables.lost(by: earlier)
                index = tables.later(earlier)
            }
        }
        return plans
    }

    static func missing(_ path: String) -> StoreError {
        StoreError(.missing, path, "it does not exist, or has no saved model", hint: "check the name of the file")
    }

    /// Whether values are dropped.
    public var dropsValues: Bool { changes.contains(where: \.dropsValues) }

    /// Whether runs before the migration can no longer be undone, because they have kept values of the earlier tables.
    var forgetsChanges: Bool { !changes.isEmpty || !MigrationPlan.areEqual(source, destination) }

    /// The changes and what cannot be inferred, a line each.
    public var description: String {
        (changes.map { $0.description + ($0.dropsValues ? " (drops values)" : "") } + refusals).joined(separator: "\n")
    }

    /// The statements for the tables of a configuration.
    func script(_ configuration: String?) -> MigrationScript {
        let earlier = source.entities(in: configuration) == nil ? nil : configuration
        return MigrationScript(
            match, Schema(source, configuration: earlier), Schema(destination, configuration: configuration),
            steps: steps)
    }

    /// The plans from one model to another, through a part of an ordered list of versions, in either direction.
    static func plans(from source: Model, to destination: Model, _ options: MigrationOptions) -> [MigrationPlan] {
        let versions = options.versions
        var between: [Model] = []
        var isReversed = false
        if let start = versions.firstIndex(where: { areEqual($0, source) }),
            let end = versions.firstIndex(where: { areEqual($0, destination) })
        {
            isReversed = end < start
            between =
                start < end
                ? Array(versions[(start + 1)..<end]) : isReversed ? versions[(end + 1)..<start].reversed() : []
        }
        return zip([source] + between, between + [destination]).map { one, next in
            MigrationPlan(from: one, to: next, steps: options.steps, isReversed: isReversed)
        }
    }

    /// Whether a store of one model can be used with the other.
    static func areEqual(_ one: Model, _ other: Model) -> Bool { one.versionHashes() == other.versionHashes() }
}
