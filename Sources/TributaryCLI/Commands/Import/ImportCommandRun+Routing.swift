import TributaryImport

/// The tables of the values of a member.
extension ImportCommandRun {
    /// The target of the records by the values of a member, for which the files are read once more.
    mutating func target(
        by member: RemoteKey, _ request: ImportTarget.Request, _ known: ImportTarget.Known
    ) throws -> ImportTarget {
        try checkReadingTwice(for: "--route-by")
        var (request, reading) = (request, command.options.reading)
        if command.entity == nil { request.member = recordPath?.memberName }
        if let path = command.path { reading.paths = [path] }
        // The rows of records that a filter leaves out of a sync are found by their values.
        let found = try RouteValues(
            of: member, in: sources, filter: command.options.sync == nil ? command.filter : nil,
            limit: command.options.limit, reading
        ) { reader in
            signals.onStop { reader.cancel() }
        }
        if found.values.isEmpty, found.hasOthers {
            // A member that is meant otherwise is there; one that no record has yet may come.
            let hint = Suggestion.hint(for: member.text, among: found.memberNames)
            guard hint.isEmpty else {
                throw UsageError(
                    "No record has a text, number or truth value for '\(Excerpt.escape(member.text))' of --route-by"
                        + Excerpt.escape(hint), command: command.name)
            }
        }
        let target = try ImportTarget(by: member, found, request, known)
        guard !command.output.isQuiet, let routing = target.routing else { return target }
        for branch in routing.branches where branch.value != branch.entity {
            let records = branch.value.map { "records of '\(Excerpt.escape($0))'" } ?? "all other records"
            console.say("\(records) go into the table \(Excerpt.escape(branch.entity))")
        }
        if found.hasOthers, !routing.branches.contains(where: { $0.value == nil }) {
            console.say("skipped: records without a value for \(Excerpt.escape(member.text)); --entity takes them")
        }
        if !routing.leftOut.isEmpty {
            console.say("skipped, as the model has no such entity: \(routing.leftOut.map(Excerpt.escape).shortList)")
        }
        return target
    }
}
