import TributaryImport
import TributaryStore

/// What `--verbose` tells: what was decided, and why.
extension ImportCommandRun {
    /// Tells where the records go, by which key, and how they are written.
    mutating func tellDecisions(_ target: ImportTarget, in database: RowDatabase? = nil) {
        guard command.output.isVerbose else { return }
        var lines = ["database: \(Excerpt.escape(command.database))"]
        if target.places.isEmpty {
            lines.append("table: \(Excerpt.escape(target.entity)), \(reasonForTable(target))")
            lines.append("key: \(keyReason(target))")
        }
        for place in target.places {
            lines.append(
                "table: \(Excerpt.escape(place.entity)), for the records at \(Excerpt.escape(place.path.description)); "
                    + "key: \(keyWords(place.key))")
        }
        lines.append("columns: \(reasonForColumns(target))")
        if let database { lines.append("writing: \(wayOfLoading(target, database))") }
        for line in lines { console.say(line) }
    }

    /// Tells the types that the columns have got.
    mutating func tellTypes(_ target: ImportTarget) throws {
        guard command.output.isVerbose, let model = try StoredModel.read(at: command.openedDatabase) else { return }
        let tables = Set(target.tables.map(\.entity) + (target.relations?.tables ?? []))
        for entity in model.entities where tables.contains(entity.name) {
            let columns = entity.attributes.map { "\(Excerpt.escape($0.name)) \($0.typeName)" }
            console.say("types: \(Excerpt.escape(entity.name)) has \(columns.joined(separator: ", "))")
        }
    }

    private func keyWords(_ key: ImportKey?) -> String {
        guard let key else { return "none" }
        return key.parts.map { part in
            let path = part.remote.path.joined(separator: ".")
            return Excerpt.escape(path == part.attribute ? path : "\(part.attribute) at \(path)")
        }
        .joined(separator: ", ")
    }

    private func reasonForTable(_ target: ImportTarget) -> String {
        if target.isForeign { return "which another program has made" }
        if command.entity != nil { return "named by --table" }
        let name = target.entity
        let member = recordPath?.memberName
        if let member, name == member || EntityName.fits(name, stem: member) {
            return "named after the member \(member)"
        }
        return target.model == nil ? "named after the file or folder" : "the entity of the model that fits"
    }

    private func keyReason(_ target: ImportTarget) -> String {
        if target.isForeign, target.key == nil, !command.existing.appends,
            let table = try? ForeignTable.read(target.entity, in: command.openedDatabase), let key = table.rowKey
        {
            let kind = key == table.primaryKey ? "the primary key" : "the unique index"
            return "\(key.map(Excerpt.escape).joined(separator: ", ")), \(kind) of the table"
        }
        return "\(keyWords(target.relations?.key ?? target.key)), \(reasonForKey(target))"
    }

    private func reasonForKey(_ target: ImportTarget) -> String {
        if command.key != nil { return "named by --key" }
        if target.relations?.key != nil { return "since all records have different values there" }
        if target.key == nil { return "so each record becomes a new row" }
        return target.model == nil ? "that of the table" : "by the model or mapping"
    }

    private func reasonForColumns(_ target: ImportTarget) -> String {
        if target.model != nil { return "the attributes of the model; a value that does not fit rejects its record" }
        if target.isForeign { return "those of the table, by their names" }
        if command.inference.shaping?.columns != nil { return "those that --columns names, with types by their values" }
        return "one for each member, with a type by its values"
    }

    private func wayOfLoading(_ target: ImportTarget, _ database: RowDatabase) -> String {
        let isEmpty =
            (try? database.store.read { connection in
                try target.tables.allSatisfy { try TableRows.isEmpty($0.entity, on: connection) }
            }) ?? false
        if command.options.loadsDirectly(sources), isEmpty, !target.isForeign {
            return
                "pages beside the database, since the table is empty; rows appear at the end, and no key is looked up"
        }
        let why = isEmpty ? "since the sources are small or their size is unknown" : "since the table has rows"
        let keys = (target.relations?.key ?? target.key) == nil ? "" : "; keys are looked up, a chunk at a time"
        return "rows as they come, \(why)\(keys)"
    }
}
