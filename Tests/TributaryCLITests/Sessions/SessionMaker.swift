import TributaryTestSupport

/// Makes random sessions: the same seed makes the same session.
struct SessionMaker {
    private var random: SeededGenerator
    private var feeds: [String: SessionFeed] = [:]
    /// The tables that have been loaded.
    private var loaded: Set<Int> = []
    private let isPostgres: Bool

    init(seed: UInt64, isPostgres: Bool = false) {
        // Seeds that differ by one must not yield sequences that are shifted by one step.
        random = SeededGenerator(seed: seed &* 0xD6E8_FEB8_6659_FD93)
        self.isPostgres = isPostgres
    }

    /// A session: its tables, and its steps.
    mutating func make() -> Session {
        var groups = isPostgres ? [["users"], ["pairs"], ["events"], ["flat"]] : SessionTable.groups
        groups = Array(groups.shuffled(using: &random).prefix(1 + random.below(3)))
        if !isPostgres, random.once(in: 10) { groups = [["people"]] }
        var session = Session(
            tables: groups.flatMap(\.self), steps: [], isPostgres: isPostgres, usesLog: random.once(in: 3))
        if let films = session.tables.firstIndex(of: "films") {
            session.steps.append(.load(SessionLoad(table: films, feed: SessionMaker.films)))
        }
        let named = session.definitions.indices.filter { session.definitions[$0].isNamed }
        for _ in 0..<(12 + random.below(8)) { addSteps(random.pick(named), &session) }
        return session
    }

    /// Two films that share an actor, so that their lists have a table of their own.
    private static let films: SessionFeed = {
        let actor = SessionValue.object(["id": .integer(0), "name": .text("a")])
        let items = (0...1).map { id in
            SessionFeed.Item.record([
                SessionFeed.Member(name: "id", value: .integer(id)),
                SessionFeed.Member(name: "name", value: .text("x")),
                SessionFeed.Member(name: "studio", value: actor),
                SessionFeed.Member(name: "cast", value: .list([actor])),
            ])
        }
        return SessionFeed(name: "films0", items: items)
    }()

    private mutating func addSteps(_ table: Int, _ session: inout Session) {
        let definition = session.definitions[table]
        switch random.below(23) {
        case 0..<2 where !isPostgres: session.steps.append(.undo(isDryRun: random.once(in: 3)))
        case 2..<4:
            session.steps.append(
                .retry(
                    SessionRetry(
                        isFile: random.once(in: 2), fixed: 1 + random.below(3),
                        isDryRun: !isPostgres && random.once(in: 4))))
        case 4: if random.once(in: 3) { session.steps.append(.forget(table: table)) }
        case 5 where canEdit(definition):
            session.steps.append(.edit(table: table, row: random.below(50), value: .text("edit \(random.below(3))")))
        case 6 where ["users", "flat"].contains(definition.name) && !isPostgres:
            session.steps.append(.audit(table: table))
        case 6, 7:
            guard definition.maker == .model else { break }
            session.steps.append(.migrate(version: 1 + random.below(2), isDryRun: random.once(in: 4)))
        case 22 where !isPostgres: session.steps.append(.export)
        case 8 where definition.maker == .model:
            session.steps.append(.seed((0...random.below(3)).map { _ in random.below(100) }))
        default:
            let load = load(table, definition)
            session.steps.append(.load(load))
            // The same command again.
            if random.once(in: 8) { session.steps.append(.load(load)) }
            if load.isDryRun {
                var real = load
                (real.isDryRun, real.fault) = (false, nil)
                session.steps.append(.load(real))
            }
        }
    }

    private func canEdit(_ table: SessionTable) -> Bool {
        if case .related = table.shape { return false }
        return table.maker != .model && !isPostgres
    }

    private mutating func load(_ number: Int, _ table: SessionTable) -> SessionLoad {
        var load = SessionLoad(table: number, feed: feed(table))
        let isKeyed = !table.key.isEmpty
        var isRelated = false
        if case .related = table.shape { isRelated = true }
        load.isSync = isKeyed && !isPostgres && !table.isForeign && random.once(in: 2)
        if !load.isSync, isKeyed, !isRelated, random.once(in: 3) {
            load.mode = random.pick(
                table.isForeign ? ["insert", "update", "ignore"] : ["insert", "update", "ignore", "replace"])
        }
        load.policy = random.pick(["quarantine", "quarantine", "skip", "stop"])
        if !isKeyed { load.appends = random.once(in: 2) }
        load.again = random.once(in: 6)
        if !load.again, random.once(in: 20) {
            load.fault = SessionFault(isKill: random.once(in: 2), call: 1 + random.below(60))
        }
        // Without a profile a record that stops the import does so before anything is written.
        load.isProfiled =
            load.policy != "stop" && random.once(in: 4) && !load.feed.items.contains(where: \.isDamaged)
        // A sync cannot filter records with nested objects.
        if !isRelated || !load.isSync, random.once(in: 4) {
            let number = random.below(14)
            load.filter = random.pick([.idBelow(number), .named("Ada"), .named("7"), .hasName, .otherCounts])
            load.isProfiled = false
        }
        if isPostgres {
            addNeutral(&load)
            return load
        }
        load.isDryRun = random.once(in: 5)
        if load.isDryRun {
            load.again = false
        } else {
            load.isUndoable = table.columns.count < 990 && random.once(in: 3)
            load.listsChanges = table.columns.count < 990 && random.once(in: 8)
            load.isStaged = random.once(in: 8)
            if load.isStaged, random.once(in: 2) { load.expected = random.below(12) }
        }
        if !load.isSync, !load.keepsChanges, !isRelated, load.mode == "upsert", load.fault == nil,
            random.once(in: 10)
        {
            (load.truncates, load.appends) = (true, false)
        }
        addRules(&load, table)
        addDirect(&load, table)
        if load.isSync {
            load.isLimited = random.once(in: 3)
            if random.once(in: 4) { load.feedName = "second \(table.name)" }
            if !isRelated, table.maker != .model {
                load.isSoft = random.once(in: 4)
                if random.once(in: 4) { load.scope = random.below(14) }
                if load.scope == nil, random.once(in: 12) { load.misfits = true }
            }
        }
        addNeutral(&load)
        load.searches = !isPostgres && table.name != "codes" && random.once(in: 4)
        return load
    }

    /// Lets the command convert, complete and check values, and make indexes.
    private mutating func addRules(_ load: inout SessionLoad, _ table: SessionTable) {
        guard table.maker == .command, !table.key.isEmpty, table.isNamed, table.shape == .plain else { return }
        if random.once(in: 5) { load.rules.conversion = random.pick(SessionRules.Conversion.allCases) }
        load.rules.hasDefault = random.once(in: 5)
        load.rules.needsName = random.once(in: 8)
        load.makesIndexes = !load.isStaged && random.once(in: 8)
    }

    /// Lets a table be written directly, mostly while it is empty.
    private mutating func addDirect(_ load: inout SessionLoad, _ table: SessionTable) {
        let isFirst = load.isDryRun ? !loaded.contains(load.table) : loaded.insert(load.table).inserted
        guard !table.isForeign, random.once(in: isFirst ? 3 : 20) else { return }
        load.isDirect = true
        (load.isStaged, load.isUndoable, load.listsChanges, load.truncates) = (false, false, false, false)
        load.expected = nil
        if load.policy == "stop" { load.policy = "quarantine" }
    }

    /// Adds options that change nothing, as the table of options knows them.
    private mutating func addNeutral(_ load: inout SessionLoad) {
        var taken = ["--json", "--connections"]
        if load.isDirect || isPostgres { taken.append("--first-load") }
        if isPostgres { taken.append("--extended-json") }
        // What was read before a rejected record is committed in groups.
        if load.policy == "stop" { taken.append("--batch-size") }
        if load.isSync || load.mode != "upsert" { taken.append("--mode") }
        let command = load.isSync ? OptionSample.Command.sync : .load
        for _ in 0..<random.below(3) {
            let free = OptionTable.neutral.filter { $0.commands.contains(command) && !taken.contains($0.name) }
            let sample = random.pick(free)
            taken.append(sample.name)
            load.neutral += sample.words
        }
    }

    // MARK: Feeds

    /// The next content of a file of a table: new, changed, shuffled, grown, shortened, repeated or damaged.
    private mutating func feed(_ table: SessionTable) -> SessionFeed {
        let name = "\(table.name)\(random.once(in: 4) ? 2 : 1)"
        guard var feed = feeds[name] else {
            var feed = SessionFeed(name: name, layout: random.pick(SessionFeed.Layout.allCases))
            // The first record tells PostgreSQL the types of the columns.
            if isPostgres { feed.items = [goodItem(table)] }
            feed.items += (0..<(1 + random.below(12))).map { _ in item(table) }
            feeds[name] = feed
            return feed
        }
        for _ in 0..<random.below(4) {
            switch random.below(8) {
            case 0: feed.items.shuffle(using: &random)
            case 1, 2: feed.items += (0..<(1 + random.below(3))).map { _ in item(table) }
            case 3, 4: feed.items.removeLast(min(feed.items.count - 1, 1 + random.below(3)))
            case 5: feed.items.append(random.pick(feed.items))
            default:
                let position = random.below(feed.items.count)
                feed.items[position] = change(feed.items[position], table)
            }
        }
        if isPostgres, feed.items.allSatisfy(\.isDamaged) { feed.items.append(goodItem(table)) }
        feeds[name] = feed
        return feed
    }

    private mutating func change(_ item: SessionFeed.Item, _ table: SessionTable) -> SessionFeed.Item {
        guard case .record(var members) = item, let last = members.indices.last, last >= table.key.count else {
            return self.item(table)
        }
        members[last].value = value(members[last].name, table)
        return .record(members)
    }

    private mutating func item(_ table: SessionTable) -> SessionFeed.Item {
        if random.once(in: 25) { return .damaged("{\"id\":\(random.below(9)),\"name\" 1}") }
        return goodItem(table)
    }

    private mutating func goodItem(_ table: SessionTable) -> SessionFeed.Item {
        var members = table.key.map { SessionFeed.Member(name: $0, value: keyValue($0, table)) }
        if table.shape == .plain, !members.isEmpty, !isPostgres, random.once(in: 30) {
            if random.once(in: 2) { members.removeLast() } else { members[0].value = .null }
        }
        for name in table.members where !random.once(in: 3) {
            members.append(SessionFeed.Member(name: name, value: value(name, table)))
        }
        return .record(members)
    }

    private mutating func keyValue(_ name: String, _ table: SessionTable) -> SessionValue {
        if table.ignoresCase { return .text(random.pick(["a", "A", "b", "c", "C", "d", "e", "é", "f"])) }
        if name == "place" { return .text(random.pick(["x", "y"])) }
        return .integer(Int64(random.below(14)))
    }

    private mutating func value(_ name: String, _ table: SessionTable) -> SessionValue {
        if random.once(in: 8) { return .null }
        switch name {
        case "name", "label":
            if table.maker == .model, random.once(in: 12) { return .integer(5) }
            return .text(random.pick(["bad", "Ada", "Bob", "naïve", "", "7"]))
        case "count":
            if table.isForeign || isPostgres { return .integer(Int64(random.below(12) - 1)) }
            let numbers: [SessionValue] = [.integer(1), .integer(2), .integer(1 << 60)]
            if table.maker == .model { return random.pick(numbers + [.integer(3), .integer(4)]) }
            return random.pick(numbers + [.real(2.5), .flag(true), .text("x")])
        case "active": return random.once(in: 12) ? .integer(1) : .flag(random.once(in: 2))
        case "tag": return .text("t\(random.below(20))")
        case "owner": return .integer(Int64(random.below(14)))
        case "other", "c3", "c1989": return random.pick([.integer(1), .text("x"), .flag(false)])
        case "studio": return related()
        case "cast": return .list((0..<random.below(4)).map { _ in related() })
        case "home":
            return random.pick([
                .object(["city": .text("Graz"), "place": .object(["x": .integer(1)])]), .object(["city": .null]),
                .object(["city": .text("Linz"), "zip": .integer(4020)]),
            ])
        default:
            if isPostgres { return random.pick([.list([]), .list([.integer(1), .text("a")])]) }
            return random.pick([.list([]), .list([.integer(1), .text("a")]), .object(["k": .null]), .text("[1]")])
        }
    }

    private mutating func related() -> SessionValue {
        .object(["id": .integer(Int64(random.below(6))), "name": .text(random.pick(["a", "b", "c"]))])
    }
}
