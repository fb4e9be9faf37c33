import TributarySQLite

/// What retries, undos, migrations and other programs must do.
extension SessionOracle {
    // MARK: Retry

    /// The lines of a file of rejects for a retry: each reject, and the text that it is replaced by.
    func lines(_ retry: SessionRetry) -> [(reject: Reject, text: String)] {
        rejects.enumerated().map { number, reject in
            let isFixed = retry.isFile && retry.fixed > 0 && number % retry.fixed == 0
            return (reject, isFixed ? fixed(number, reject).text : reject.text)
        }
    }

    /// A good record instead of a reject.
    private func fixed(_ number: Int, _ reject: Reject) -> SessionFeed.Item {
        let definition = definitions[reject.table]
        var members = definition.key.map { name in
            let isText = definition.ignoresCase || name == "place"
            return SessionFeed.Member(
                name: name, value: isText ? .text("fixed \(number)") : .integer(Int64(500 + number)))
        }
        members.append(SessionFeed.Member(name: "name", value: .text("fixed")))
        return .record(members)
    }

    /// Plays a retry of all rejects.
    mutating func retry(_ retry: SessionRetry) -> SessionExpectation {
        // A failed import of a model may have left a database without runs.
        if nextRun == 1 { return SessionExpectation(code: 1, otherCode: 0) }
        var world = self
        var (counts, left) = (SessionCounts(), [Reject]())
        let lines = Array(lines(retry).enumerated())
        // The settings of a run are those of all its rejects; each group of them is a run of its own.
        for earlier in lines.map(\.element.reject.run).uniqued {
            guard var run = runs.first(where: { $0.number == earlier }) else { continue }
            (run.number, run.identity, run.file, run.state) = (world.nextRun, "retry", "", .finished)
            (run.content, run.truncates) = ("", false)
            (run.before, run.after, run.seen, run.isSync) = ([:], [:], [:], false)
            (run.counts, run.deleted) = (SessionCounts(), 0)
            // A retry that writes nothing rolls back each of them.
            if retry.isDryRun { world.tables = tables }
            for (number, line) in lines where line.reject.run == earlier {
                let isFixed = line.text != line.reject.text
                let item = isFixed ? fixed(number, line.reject) : items[line.text] ?? .damaged(line.text)
                let isTaken = run.filter?.takes(item) ?? true
                let outcome =
                    isTaken
                    ? world.write(
                        item, line.reject.table, mode: line.reject.mode, line.reject.rules, seen: &run.seen)
                    : .skipped
                run.counts.add(outcome)
                counts.add(outcome)
                guard outcome == .rejected else { continue }
                left.append(line.reject)
                left[left.count - 1].text = line.text
            }
            run.hasChanged = world.differs(from: self, in: group(run.table))
            // The journal of PostgreSQL has imports alone.
            guard !isPostgres else { continue }
            world.runs.append(run)
            world.nextRun += 1
        }
        let code: Int32 = counts.rejected > 0 ? 3 : retry.isDryRun && counts.inserted + counts.updated > 0 ? 2 : 0
        guard !retry.isDryRun else { return SessionExpectation(code: code, counts: counts) }
        world.rejects = rejects.compactMap { reject in left.first { $0.run == reject.run && reject.order == $0.order } }
        self = world
        return SessionExpectation(code: code, counts: counts)
    }

    // MARK: Undo

    /// Plays an undo of the latest undoable run.
    mutating func undo(isDryRun: Bool) -> SessionExpectation {
        guard let index = runs.lastIndex(where: { !$0.after.isEmpty && $0.state != .undone }),
            !runs[(index + 1)...].contains(where: {
                $0.table == runs[index].table && $0.state != .undone && ($0.hasChanged || $0.truncates)
            })
        else { return .failure }
        let run = runs[index]
        var world = self
        var (kept, changes) = (0, 0)
        for table in group(run.table) {
            guard let before = run.before[table], let after = run.after[table] else { continue }
            let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.number, $0) })
            let new = Dictionary(uniqueKeysWithValues: after.rows.map { ($0.number, $0) })
            let touched = Set(old.keys).union(new.keys).sorted().filter { !isUntouched(old[$0], new[$0]) }
            // Rows that the run has made go first; others may wait for one that gives their unique values back.
            var (waiting, isWaiting) = (touched.filter { old[$0] == nil } + touched.filter { old[$0] != nil }, true)
            while isWaiting {
                let left = waiting.filter { number in
                    // Changes of records that follow one another are one, but where each has run triggers.
                    let isQuiet = isSame(old[number], new[number])
                    if isQuiet, !definitions[table].isForeign, !after.isAudited { return false }
                    guard world.takeBack(number, table, old[number], new[number]) else { return true }
                    if !isQuiet { changes += 1 }
                    return false
                }
                (isWaiting, waiting) = (left.count < waiting.count, left)
            }
            kept += waiting.count
            if run.isSync { world.undoMarks(run, table, before.marks[run.feed] ?? []) }
        }
        let code: Int32 = kept > 0 ? 3 : isDryRun && changes > 0 ? 2 : 0
        // Rows that the run has changed twice may have the values of before.
        guard !isDryRun else { return SessionExpectation(code: code, otherCode: changes == 0 && kept == 0 ? 2 : nil) }
        world.runs[index].state = .undone
        world.rejects.removeAll { $0.run == run.number }
        self = world
        return SessionExpectation(code: code)
    }

    /// Gives the feed of an undone run its earlier rows back; those of later runs stay.
    private mutating func undoMarks(_ run: Run, _ table: Int, _ before: Set<Int>) {
        let later = runs.filter {
            $0.isSync && $0.feed == run.feed && $0.number > run.number && $0.state != .undone && $0.state != .abandoned
        }
        var marks = tables[table].marks[run.feed] ?? []
        // A later run has replaced the marks, unless a key that it could not read made all of them stay.
        let isReplaced = later.contains { $0.state == .finished && !$0.isUnidentified }
        if !isReplaced { marks.subtract(run.seen[table] ?? []) }
        if later.isEmpty { marks = [] }
        for other in later { marks.formUnion(other.seen[table] ?? []) }
        tables[table].marks[run.feed] = marks.union(before)
    }

    /// Undoes the change of a row; returns whether that was possible.
    private mutating func takeBack(_ number: Int, _ table: Int, _ old: Row?, _ new: Row?) -> Bool {
        let position = tables[table].rows.firstIndex { $0.number == number }
        let current = position.map { tables[table].rows[$0] }
        guard isSame(current, new) else { return false }
        switch (old, position) {
        case (nil, .some):
            if let current, isReferred(current, table) { return false }
            delete([number], table)
        case (let row?, let position?):
            // Nothing is written to a row that has its earlier values.
            if isSame(row, current), !definitions[table].isForeign { return true }
            guard accepts(row.values, table, besides: number) else { return false }
            update(position, to: row.values, table)
            tables[table].rows[position].touched = nil
        case (let row?, nil):
            if let key = key(row.values, table), self.position(key, table) != nil { return false }
            guard accepts(row.values, table, besides: nil) else { return false }
            bringBack(row, table)
        case (nil, nil): break
        }
        return true
    }

    private func isSame(_ one: Row?, _ other: Row?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return SessionOracle.isEqual(one.values, other.values)
    }

    /// Whether a run has left a row alone: triggers count changes that took back each other, too.
    private func isUntouched(_ one: Row?, _ other: Row?) -> Bool {
        isSame(one, other) && one?.changes == other?.changes
    }

    // MARK: Forgetting, migration and seeds

    /// Forgets all runs into a table; returns nil if there are none.
    mutating func forget(_ table: Int) -> SessionExpectation? {
        let numbers = Set(runs.filter { $0.table == table }.map(\.number))
        guard !numbers.isEmpty else { return nil }
        runs.removeAll { $0.table == table }
        rejects.removeAll { numbers.contains($0.run) }
        return SessionExpectation(code: 0)
    }

    /// Gives the database another version of its model.
    mutating func migrate(to version: Int, isDryRun: Bool) -> SessionExpectation {
        if self.version == version { return SessionExpectation(code: 0) }
        if isDryRun { return SessionExpectation(code: 2) }
        self.version = version
        // The changes that runs have kept are forgotten.
        for run in runs.indices { (runs[run].before, runs[run].after) = ([:], [:]) }
        if version == 1 {
            for table in tables.indices { SessionOracle.dropTags(&tables[table]) }
        }
        return SessionExpectation(code: 0)
    }

    private static func dropTags(_ table: inout Table) {
        for row in table.rows.indices { table.rows[row].values["tag"] = nil }
    }

    /// Plants people.
    mutating func seed(_ ids: [Int]) -> SessionExpectation {
        let content = Session.seedText(ids)
        let latest = runs.last { $0.identity == "seed" && $0.state == .finished }
        if let latest {
            return latest.content == content ? SessionExpectation(code: 0, counts: latest.counts) : .failure
        }
        let keys = ids.map { SQLValue.integer(Int64($0)) }
        guard keys.uniqued.count == keys.count, keys.allSatisfy({ position([$0], 0) == nil }) else { return .failure }
        var run = Run(number: nextRun, identity: "seed", table: 0, file: "", content: content, state: .finished)
        nextRun += 1
        for id in ids {
            _ = insert(["id": .integer(Int64(id)), "active": .flag(true)], 0)
            run.hasChanged = true
            run.counts.add(.inserted)
        }
        runs.append(run)
        return SessionExpectation(code: 0, counts: run.counts)
    }

    // MARK: Other programs

    /// Another program sets the name of a row; returns the row before, nil if there is none.
    mutating func edit(_ table: Int, _ number: Int, _ value: SessionValue) -> Row? {
        guard !tables[table].rows.isEmpty else { return nil }
        let chosen = tables[table].rows[number % tables[table].rows.count]
        // Of rows that cannot be distinguished, it is the newest.
        guard let position = tables[table].rows.lastIndex(where: { isSame($0, chosen) }) else { return nil }
        let row = tables[table].rows[position]
        var values = row.values
        values["name"] = value
        update(position, to: values, table)
        return row
    }

    /// Learns that failed attempts of the last run have left abandoned runs, after which it got another number; those
    /// that have kept their changes, of which there are none, can be undone.
    ///
    /// An attempt that has skipped all records, and has failed after its end, is finished; so the command is another run.
    mutating func renumberLast(to number: Int, undoable: Set<Int>, finished: Set<Int>) {
        guard let last = runs.last, last.number < number else { return }
        for abandoned in last.number..<number {
            var run = last
            (run.number, run.state, run.identity) = (abandoned, .abandoned, "")
            let isFinished = finished.contains(abandoned) && last.counts.read == last.counts.skipped
            if isFinished { run.state = .finished }
            // An attempt that has written anything is resumed.
            (run.counts, run.after, run.deleted) = (
                isFinished ? last.counts : SessionCounts(), undoable.contains(abandoned) ? run.before : [:], 0
            )
            run.hasChanged = false
            runs.insert(run, at: runs.count - 1)
        }
        runs[runs.count - 1].number = number
        nextRun = number + 1
        for index in rejects.indices where rejects[index].run == last.number { rejects[index].run = number }
    }
}
