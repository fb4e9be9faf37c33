import TributaryImport

/// What a run refuses before it reads a record.
extension ImportCommandRun {
    /// Refuses options for which a model is needed.
    func checkModelOptions(of target: ImportTarget) throws(UsageError) {
        let needsModel = command.map != nil || command.printsMap || command.options.dangling != .wait
        if needsModel, target.model == nil, command.relations == nil || command.map != nil || command.printsMap {
            throw UsageError(
                "'--map', '--print-map' and '--dangling' need a model; without one a column is a member, or --columns names its path",
                command: command.name)
        }
    }

    private func needsNoModel(_ option: String, _ place: String) -> UsageError {
        UsageError(
            "'\(option)' is for tables without a model; here it is stated \(place)", command: command.name)
    }

    /// Refuses options about columns that the table does not allow.
    mutating func checkColumnOptions(of target: ImportTarget) throws(UsageError) {
        if target.model != nil {
            let rules = command.inference.shaping?.rules ?? [:]
            if rules.contains(where: { !$1.conversions.isEmpty }) {
                throw needsNoModel(
                    "--convert", "in the model, as the type Date, or in the mapping, as dates or conversion")
            }
            if rules.contains(where: { $1.defaultValue != nil }) {
                throw needsNoModel("--default", "in the model, as the default value of the attribute")
            }
            if !rules.isEmpty { throw needsNoModel("--not-null", "in the model, as an attribute that is not optional") }
            if !command.uniqueIndexes.isEmpty {
                throw needsNoModel("--unique", "in the model, as a uniqueness constraint of the entity")
            }
            if !command.indexes.isEmpty {
                throw needsNoModel("--index", "in the model, as a fetch index of the entity")
            }
        }
        if target.model != nil, command.inference != ColumnInference() {
            throw UsageError(
                "'--types', '--numbers', '--flatten', '--columns', '--source-column' and '--extended-json' are for "
                    + "inferred columns; here a model defines the columns",
                command: command.name)
        }
        isForeign = target.isForeign
        if command.relations != nil, target.model != nil || isForeign {
            throw UsageError(
                isForeign
                    ? "'--relations' makes tables, and '\(target.entity)' is one of another program; name another table with --table"
                    : "'--relations' is for imports without a model; the relationships of a model need no option",
                command: command.name)
        }
        var shaped = ColumnInference()
        shaped.shaping = command.inference.shaping
        if target.isForeign, command.inference != shaped, command.inference != ColumnInference() {
            throw UsageError(
                "'--types' and '--numbers' are for inferred columns; '\(target.entity)' is a table of another program",
                command: command.name)
        }
        if !target.isForeign, command.existing.addsColumns || command.existing.rest != nil {
            throw UsageError(
                "'--add-columns' and '--rest' are for a table of another program, and '\(target.entity)' is none",
                command: command.name)
        }
        if !target.isForeign { try checkAppending(to: target.entity, target.key) }
    }

    /// Refuses to append to a table with a key.
    func checkAppending(to table: String, _ key: ImportKey?) throws(UsageError) {
        guard command.existing.appends, key != nil else { return }
        throw UsageError(
            "'--append' is not for '\(table)', which has a key: rows with known keys are updated",
            command: command.name)
    }

    /// Refuses a database among the files, as where the order of the words is another one.
    func checkOrder() throws {
        guard
            let path = sources.lazy.compactMap({ ($0 as? FileSource)?.path }).first(
                where: StoredDatabase.beginsAsDatabase)
        else { return }
        let isSwapped = FileKind(command.database) == .file && !StoredDatabase.beginsAsDatabase(command.database)
        let line =
            isSwapped
            ? CommandText.line(command.name, [path, command.database])
            : CommandText.line("export", [path], ["--to", "DIR"])
        throw UsageError(
            isSwapped
                ? "The database is the first word after the command: \(line)"
                : "'\(path)' is a database, not JSON; to get its rows as JSON, run: \(line)", command: command.name)
    }

    /// Refuses an empty standard input: a missing source must not leave an empty database.
    func checkInput() throws {
        if !command.allowsEmpty,
            sources.contains(where: { ($0 as? DescriptorSource)?.isAtEnd(stop: signals.descriptor) ?? false })
        {
            throw JSONError(
                .sourceRead, "standard input is empty",
                hint: "check the program before the pipe, or accept that with --allow-empty")
        }
    }
}
