import TributaryTestSupport

/// Makes a failing session as short as it can be while it still fails.
struct SessionShrinker {
    /// Plays a session from the beginning; returns the difference that it finds.
    let play: (Session) -> SessionDifference?
    private(set) var session: Session
    private(set) var difference: SessionDifference
    private(set) var attempts = 0

    init(
        _ session: Session, _ difference: SessionDifference,
        play: @escaping (Session) -> SessionDifference?
    ) {
        (self.session, self.difference, self.play) = (session, difference, play)
        self.session.steps = Array(session.steps.prefix(difference.step + 1))
    }

    /// Removes steps, tables, options and records as long as that makes the session shorter.
    mutating func shrink() {
        var isShorter = true
        while isShorter {
            isShorter = removeSteps() || simplifySteps()
        }
    }

    /// Keeps a shorter session if it fails in the same way.
    private mutating func accept(_ shorter: Session) -> Bool {
        guard attempts < 400 else { return false }
        attempts += 1
        guard let found = play(shorter),
            found.description.prefix(8) == difference.description.prefix(8)
        else { return false }
        (session, difference) = (shorter, found)
        session.steps = Array(session.steps.prefix(found.step + 1))
        return true
    }

    private mutating func removeSteps() -> Bool {
        var isShorter = false
        var length = max(1, session.steps.count / 2)
        while length >= 1 {
            var start = 0
            while start < session.steps.count {
                var shorter = session
                shorter.steps.removeSubrange(start..<min(start + length, session.steps.count))
                if !shorter.steps.isEmpty, accept(shorter) { isShorter = true } else { start += length }
            }
            length /= 2
        }
        return isShorter
    }

    private mutating func simplifySteps() -> Bool {
        var isShorter = false
        for number in session.steps.indices.reversed() where number < session.steps.count {
            guard case .load(let load) = session.steps[number] else { continue }
            for change in SessionShrinker.changes {
                guard number < session.steps.count, case .load(var simpler) = session.steps[number] else { break }
                change(&simpler)
                isShorter = simpler != load && replace(number, simpler) || isShorter
            }
            var position = load.feed.items.count - 1
            while position >= 0 {
                guard number < session.steps.count, case .load(var simpler) = session.steps[number] else { break }
                // An empty file is another matter.
                if simpler.feed.items.count == 1 { break }
                simpler.feed.items.remove(at: position)
                isShorter = replace(number, simpler) || isShorter
                position -= 1
            }
        }
        return isShorter
    }

    private mutating func replace(_ number: Int, _ load: SessionLoad) -> Bool {
        guard session.steps[number] != .load(load) else { return false }
        var shorter = session
        shorter.steps[number] = .load(load)
        return accept(shorter)
    }

    private static let changes: [@Sendable (inout SessionLoad) -> Void] = [
        { $0.neutral = [] }, { $0.filter = nil }, { $0.searches = false },
        { $0.rules = SessionRules() }, { $0.makesIndexes = false }, { $0.fault = nil },
        { ($0.isStaged, $0.expected) = (false, nil) },
        { $0.isUndoable = false },
        { $0.isDirect = false }, { $0.again = false }, { $0.isDryRun = false }, { $0.mode = "upsert" },
        { $0.isLimited = false }, { $0.feedName = nil }, { $0.truncates = false }, { $0.policy = "quarantine" },
        { $0.listsChanges = false }, { $0.expected = nil }, { $0.isSoft = false }, { $0.scope = nil },
        { $0.misfits = false },
        { $0.appends = false }, { $0.feed.layout = .lines },
        { load in

            (load.isSync, load.isSoft, load.scope, load.feedName, load.isLimited) = (false, false, nil, nil, false)
            load.misfits = false
        },
    ]
}
