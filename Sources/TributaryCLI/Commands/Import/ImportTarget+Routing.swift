package import TributaryImport

/// Importing records into a table for each value of a member.
extension ImportTarget {
    /// The tables of the values of a member.
    package struct Routing {
        let member: RemoteKey
        /// The tables in the order of the routes; all other records come last.
        var branches: [Branch] = []
        /// The values for which a model has no entity.
        var leftOut: [String] = []
        /// The name of the feed, which does not depend on the values that a dump has.
        let feed: String

        /// A value, and where its records go.
        struct Branch {
            /// The value; nil for all other records.
            let value: String?
            let entity: String
            let key: ImportKey?
        }
    }

    /// Determines an entity and its key for each of some values, and for the other records.
    ///
    /// A table is named after its value. With a model, the records of values
    /// that name none of its entities are left out, unless the request names one for them.
    package init(
        by member: RemoteKey, _ found: RouteValues, _ request: Request, _ known: Known
    ) throws(UsageError) {
        var named: [(value: String?, name: String)] = []
        let name = request.entity ?? request.member ?? request.stem ?? request.container ?? "records"
        var routing = Routing(member: member, feed: "\(name) by \(member.text)")
        var hasOthers = found.hasOthers
        if case .model(let model) = known {
            let names = model.entities.filter { !$0.isAbstract }.map(\.name)
            for value in found.values {
                let fitting = names.contains(value) ? [value] : names.filter { EntityName.fits($0, stem: value) }
                if fitting.count == 1 { named.append((value, fitting[0])) } else { routing.leftOut.append(value) }
            }
            if let entity = request.entity {
                routing.leftOut = []
                named.append((nil, entity))
            }
            guard !named.isEmpty else {
                throw UsageError(
                    "No entity of the model has the name of a value of '\(member.text)': \(found.values.shortList)",
                    command: ImportCommand.spec.name)
            }
        } else {
            for value in found.values {
                if EntityName.fault(in: value) == nil { named.append((value, value)) } else { hasOthers = true }
            }
            if hasOthers || named.isEmpty { named.append((nil, try ImportTarget.statedName(request))) }
            for index in named.indices { named[index].name = EntityName.table(named[index].name) }
            try ImportTarget.checkNames(named)
        }
        var targets: [ImportTarget] = []
        for (value, name) in named {
            var one = request
            one.entity = name
            let target = try ImportTarget(one, known)
            guard !target.isForeign else {
                throw UsageError(
                    "'--route-by' makes a table for each value, and another program has made the table "
                        + "'\(name)'; import it alone: --where and --table", command: ImportCommand.spec.name)
            }
            targets.append(target)
            routing.branches.append(
                .init(value: value, entity: name, key: target.key))
        }
        self = targets[0]
        self.routing = routing
    }

    /// Refuses two tables that are one to SQLite: which of them got a number would depend on the dump.
    private static func checkNames(_ named: [(value: String?, name: String)]) throws(UsageError) {
        var tables: [String: String] = [:]
        for (value, name) in named {
            let records = value.map { "the records of '\(Excerpt.escape($0))'" } ?? "all other records"
            if let other = tables.updateValue(records, forKey: name.lowercasedASCII) {
                throw UsageError(
                    "\(other.prefix(1).uppercased() + other.dropFirst()) and \(records) would both go into the table "
                        + "'\(Excerpt.escape(name))'; "
                        + (value == nil
                            ? "name another one for the others with --table"
                            : "import them one after the other, with --where and --table"),
                    command: ImportCommand.spec.name)
            }
        }
    }
}
