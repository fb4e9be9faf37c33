import TributarySQLite

/// What imports and syncs must do.
extension SessionOracle {
    /// The identity of an import: two loads that agree in it are the same.
    private func identity(_ load: SessionLoad) -> String {
        let parts: [String] = [
            load.isSync ? "sync" : "import", load.feed.fileName, "\(load.table)", load.mode, load.isSoft ? "soft" : "",
            load.scope.map(String.init) ?? "", load.feedName ?? "", load.filter?.text ?? "",
            definitions[load.table].maker == .model ? "\(version)" : "", load.rules.words.joined(separator: " "),
        ]
        return parts.joined(separator: "|")
    }

    /// Plays a load, and says what the command must answer.
    mutating func load(_ load: SessionLoad) -> SessionExpectation {
        let definition = definitions[load.table]
        let (identity, content) = (identity(load), load.feed.text)
        var items = load.feed.read
        if load.misfits { return .failure }
        // A survey of the whole file comes first.
        let isBroken = load.policy == "stop" && items.contains(where: \.isDamaged)
        if group(load.table).count > 1, isBroken { return .failure }
        related = [:]
        let latest = runs.last { $0.identity == identity }
        // New lines are a run of their own beside one that has committed nothing.
        var (startsOver, known) = (false, 0)
        if definition.key.isEmpty {
            switch knownContent(load) {
            case .new: break
            case .known(let run):
                var answer = answer(run, load)
                // Runs before the newest one are compared after a survey of the file.
                if isPostgres, isBroken, run.number != latest?.number { (answer.otherCode, answer.counts) = (1, nil) }
                return answer
            case .changed: return .failure
            case .grown(let count):
                items.removeFirst(count)
                known = count
                startsOver = latest?.counts.inserted ?? 0 == 0
            }
        } else if let latest, latest.state == .finished, latest.writes == writes[load.feed.fileName],
            !load.again, !load.isDryRun,
            !load.truncates, isNewestOfFeed(latest)
        {
            return answer(latest, load)
        }
        if isPostgres, isBroken { return .failure }
        var world = self
        let earlier =
            startsOver
            ? nil
            : latest.flatMap { run -> Run? in
                // A refused sync has read its file to the end; once that is written again, it starts over.
                let mayGoOn = !run.isRefused || run.writes == writes[load.feed.fileName]
                // A dry run starts over, but for a table without a key, which holds what the import has committed.
                let goesOn = !load.isDryRun || definition.key.isEmpty
                let isResumed = run.state == .failed && run.isCommitted && isNewestOfFeed(run)
                return isResumed && goesOn && !load.truncates && mayGoOn ? run : nil
            }
        if let run = earlier {
            // An unfinished import resumes after what it has committed.
            let isGrown = load.feed.layout == .lines && content.hasPrefix(run.content)
            guard run.content == content || isGrown, !load.keepsChanges || !run.before.isEmpty else { return .failure }
            items = Array(items.dropFirst(run.position))
            world.runs.removeAll { $0.number == run.number }
        } else {
            if let latest, latest.state == .failed { world.abandon(latest.number) }
            world.nextRun += 1
        }
        var run =
            earlier
            ?? Run(
                number: nextRun, identity: identity, table: load.table, file: load.feed.fileName, state: .finished,
                isSync: load.isSync, feed: load.feedName ?? definition.name, filter: load.filter,
                truncates: load.truncates)
        (run.content, run.state, run.isRefused) = (content, .finished, false)
        run.writes = writes[load.feed.fileName] ?? 0
        if earlier == nil { run.position = known }
        let group = group(load.table)
        if earlier == nil, load.keepsChanges { for table in group { run.before[table] = tables[table] } }
        let keepsChanges = !run.before.isEmpty
        let isUnidentified = world.write(items, load, &run)
        if run.state == .failed {
            guard !load.isDryRun, !load.isStaged, !load.truncates else { return .failure }
            if run.position == (earlier?.position ?? known), !run.isCommitted || earlier != nil {
                // Nothing of a group with a rejected record stays.
                if let latest, latest.state == .failed, earlier == nil { abandon(latest.number) }
                (run.counts, run.seen) = (earlier?.counts ?? SessionCounts(), earlier?.seen ?? [:])
                for table in group where keepsChanges { run.after[table] = tables[table] }
            } else {
                for table in group where keepsChanges { run.after[table] = world.tables[table] }
                run.hasChanged = run.hasChanged || world.differs(from: self, in: group)
                for table in group where run.isSync {
                    world.tables[table].marks[run.feed, default: []].formUnion(run.seen[table] ?? [])
                }
                self = world
            }
            nextRun = max(nextRun, run.number + 1)
            runs.removeAll { $0.number == run.number }
            runs.append(run)
            runs.sort { $0.number < $1.number }
            return .failure
        }
        var expectation = SessionExpectation(code: run.counts.rejected > 0 ? 3 : 0, counts: run.counts)
        if earlier == nil { expectation.related = world.related }
        if load.isSync {
            let isRefused = world.finish(load, &run, isUnidentified: isUnidentified, &expectation)
            if isRefused, load.isStaged, !load.isDryRun { return expectation }
        }
        if let expected = load.expected, world.tables[load.table].rows.count < expected { return .failure }
        if keepsChanges { for table in group { run.after[table] = world.tables[table] } }
        run.hasChanged = run.hasChanged || world.differs(from: self, in: group)
        let keys = items.compactMap { item in
            if case .record(let members) = item { members.prefix(definition.key.count).map(\.value) } else { nil }
        }
        let isRepeated = Set(keys).count < keys.count
        if isRepeated, group.count > 1 {
            // It is a matter of pace which repeats of an object with other lists count as changes.
            (expectation.counts, expectation.related, run.isVague) = (nil, [:], true)
        }
        if load.isDryRun && !load.truncates || load.listsChanges, group.count == 1, earlier == nil {
            expectation.changes = world.changes(load.table, since: tables[load.table])
            // Rows that were changed back have a place in a sample.
            let isOpen = definition.hasTriggers || definition.columns.count >= 990
            expectation.hidden = isOpen ? .max : keys.count - Set(keys).count
        }
        if load.isDryRun {
            let changes =
                run.counts.inserted + run.counts.updated + (expectation.deleted ?? 0) > 0 || run.isRefused
                || world.related.values.contains { $0.inserted + $0.updated > 0 }
            if run.counts.rejected == 0, changes { expectation.code = 2 }
            return expectation
        }
        world.runs.append(run)
        world.runs.sort { $0.number < $1.number }
        self = world
        return expectation
    }

    /// Writes the items of a load; returns whether the key of one could not be read.
    private mutating func write(_ items: [SessionFeed.Item], _ load: SessionLoad, _ run: inout Run) -> Bool {
        if load.truncates { delete(Set(tables[load.table].rows.map(\.number)), load.table) }
        var isUnidentified = false
        var kept: [Reject] = []
        let position = run.position
        for item in items {
            if load.policy == "stop", item.isDamaged {
                // What was read before is committed.
                (run.state, run.isCommitted) = (.failed, true)
                return false
            }
            let isTaken = load.filter?.takes(item) ?? true
            let outcome =
                isTaken
                ? write(item, load.table, mode: load.mode, load.rules, seen: &run.seen)
                : leaveOut(item, load, &run.leftOut)
            if load.policy == "stop", outcome == .rejected {
                (run.state, run.position) = (.failed, position)
                return false
            }
            run.position += 1
            run.counts.add(outcome)
            guard outcome == .rejected else { continue }
            // What rules reject has no row whose key is known.
            if !hasKey(item, load.table) || isRefused(item, load) { isUnidentified = true }
            nextReject += 1
            kept.append(
                Reject(
                    run: run.number, table: load.table, mode: load.mode, text: item.text, rules: load.rules,
                    order: nextReject))
        }
        if load.policy == "quarantine" {
            // The same unchanged source is read again: its rejects are replaced.
            let same = Set(runs.filter { $0.identity == run.identity && $0.writes == run.writes }.map(\.number))
            rejects.removeAll { same.contains($0.run) }
            rejects += kept
        }
        return isUnidentified
    }

    /// Leaves out a record that a filter does not take; a sync must know its key.
    private func leaveOut(_ item: SessionFeed.Item, _ load: SessionLoad, _ rows: inout [Int: Set<Int>]) -> Outcome {
        guard load.isSync, case .record(let members) = item else { return .skipped }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
        guard let key = key(values, load.table) else { return .rejected }
        if let found = position(key, load.table) {
            rows[load.table, default: []].insert(tables[load.table].rows[found].number)
        }
        return .skipped
    }

    /// Whether the rules of a load reject an item of a table without other constraints of its values.
    private func isRefused(_ item: SessionFeed.Item, _ load: SessionLoad) -> Bool {
        guard case .record(let members) = item, load.rules != SessionRules() else { return false }
        return load.rules.apply(to: Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }) == nil
    }

    private func hasKey(_ item: SessionFeed.Item, _ table: Int) -> Bool {
        guard case .record(let members) = item else { return false }
        return key(Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }, table) != nil
    }

    /// Deletes what a sync no longer holds; returns whether its limit refuses that.
    private mutating func finish(
        _ load: SessionLoad, _ run: inout Run, isUnidentified: Bool, _ expectation: inout SessionExpectation
    ) -> Bool {
        expectation.deleted = 0
        let group = group(load.table)
        var (gone, outside): ([Int: Set<Int>], [Int: Set<Int>]) = ([:], [:])
        for table in group {
            let held = tables[table].marks[run.feed] ?? []
            let others = tables[table].marks.filter { $0.key != run.feed }.values.reduce(into: Set<Int>()) {
                $0.formUnion($1)
            }
            let rows = tables[table].rows.filter { row in
                guard let scope = load.scope, case .integer(let id)? = row.values["id"] else { return true }
                return id < scope
            }
            outside[table] = held.subtracting(rows.map(\.number))
            let leftOut = run.leftOut[table] ?? []
            let stays = (run.seen[table] ?? []).union(leftOut).union(others)
            gone[table] = held.subtracting(stays).intersection(rows.map(\.number))
            if load.isLimited, gone[table, default: []].count > max(1, tables[table].rows.count / 10) {
                run.isRefused = true
            }
        }
        for table in group {
            if load.isSoft, isUnidentified || !run.isRefused { bringBack(run.seen[table] ?? [], table) }
            // Rows of records that are left out stay those of the feed, if it has brought them.
            run.seen[table, default: []].formUnion(
                (run.leftOut[table] ?? []).intersection(tables[table].marks[run.feed] ?? []))
            let seen = run.seen[table] ?? []
            // Rows outside of the scope, and all of them if nothing is deleted, stay those of the feed.
            let staysAll = isUnidentified || run.isRefused
            let held = staysAll ? tables[table].marks[run.feed] ?? [] : outside[table] ?? []
            tables[table].marks[run.feed] = held.union(seen)
        }
        if isUnidentified {
            (run.isRefused, run.isUnidentified) = (false, true)
            expectation.code = 3
            return false
        }
        if run.isRefused {
            (run.state, run.isCommitted) = (.failed, true)
            expectation.code = 3
            expectation.counts = nil
            return true
        }
        for table in group {
            var numbers = gone[table] ?? []
            // A row has the date of its first deletion.
            if load.isSoft { numbers.subtract(tables[table].rows.filter { $0.values["gone"] != nil }.map(\.number)) }
            run.deleted += numbers.count
            guard load.isSoft else {
                delete(numbers, table)
                continue
            }
            for position in tables[table].rows.indices where numbers.contains(tables[table].rows[position].number) {
                var values = tables[table].rows[position].values
                values["gone"] = .text("deleted")
                update(position, to: values, table)
            }
        }
        expectation.deleted = run.deleted
        return false
    }

    /// Rows that come back are no longer marked as deleted.
    private mutating func bringBack(_ numbers: Set<Int>, _ table: Int) {
        for (position, row) in tables[table].rows.enumerated()
        where numbers.contains(row.number) && row.values["gone"] == .text("deleted") {
            update(position, to: row.values.filter { $0.key != "gone" }, table)
        }
    }

    /// The changes of rows of a table.
    private func changes(_ table: Int, since before: Table) -> [SessionExpectation.Change] {
        let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.number, $0.values) })
        let new = Dictionary(uniqueKeysWithValues: tables[table].rows.map { ($0.number, $0.values) })
        return Set(old.keys).union(new.keys).compactMap { number in
            let (one, other) = (old[number], new[number])
            guard let values = one ?? other else { return nil }
            let names = Set((one ?? [:]).keys).union((other ?? [:]).keys).filter {
                !definitions[table].key.contains($0) && (one?[$0] ?? .null).cell != (other?[$0] ?? .null).cell
            }
            if let one, let other, SessionOracle.isEqual(one, other) { return nil }
            func cells(_ values: [String: SessionValue]?) -> [String: SQLValue] {
                let pairs = names.map { ($0, (values?[$0] ?? .null).cell) }
                return values == nil ? [:] : Dictionary(uniqueKeysWithValues: pairs)
            }
            let keys = definitions[table].key.map { ($0, (values[$0] ?? .null).cell) }
            return SessionExpectation.Change(
                table: definitions[table].name, kind: one == nil ? "inserted" : other == nil ? "deleted" : "updated",
                key: Dictionary(uniqueKeysWithValues: keys), old: cells(one), new: cells(other))
        }
    }

    // MARK: Known imports

    private mutating func abandon(_ number: Int) {
        for index in runs.indices where runs[index].number == number { runs[index].state = .abandoned }
    }

    private func isNewestOfFeed(_ run: Run) -> Bool {
        !run.isSync
            || !runs.contains { $0.isSync && $0.feed == run.feed && $0.number > run.number && $0.state != .undone }
    }

    /// A finished import of unchanged files is reported again, and changes nothing.
    private func answer(_ run: Run, _ load: SessionLoad) -> SessionExpectation {
        let left = load.policy == "quarantine" ? rejects.filter { $0.run == run.number }.count : run.counts.rejected
        return SessionExpectation(
            code: left > 0 || run.isUnidentified ? 3 : 0, counts: run.isVague ? nil : run.counts,
            deleted: run.isSync ? run.deleted : nil)
    }

    private enum KnownContent {
        case new
        case known(Run)
        case changed
        /// The first items are in the table.
        case grown(Int)
    }

    /// What the table without a key holds of a file.
    private func knownContent(_ load: SessionLoad) -> KnownContent {
        let content = load.feed.text
        if load.again || load.truncates || tables[load.table].rows.isEmpty { return .new }
        // A stopped import resumes, whatever else has imported its file.
        let identity = identity(load)
        if let latest = runs.last(where: { $0.identity == identity }), latest.state == .failed,
            latest.counts.inserted > 0
        {
            return .new
        }
        var related = runs.filter { $0.table == load.table && $0.state == .finished }
        if let last = related.lastIndex(where: \.truncates) { related.removeFirst(last) }
        // Another filter is another import.
        let isBegun = runs.contains {
            $0.table == load.table && $0.state == .failed && $0.counts.inserted > 0 && $0.identity != identity
                && $0.file == load.feed.fileName
        }
        if let run = related.last(where: { $0.content == content }) {
            if run.filter == load.filter { return .known(run) }
            return load.appends && !isBegun ? .new : .changed
        }
        if isBegun { return .changed }
        guard let named = related.last(where: { $0.file == load.feed.fileName }) else { return .new }
        if load.feed.layout == .lines, content.hasPrefix(named.content), named.filter == load.filter {
            return .grown(named.content.split(separator: "\n").count)
        }
        return load.appends ? .new : .changed
    }
}
