import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary status --watch`.
@Suite struct StatusWatchTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    @Test(
        "Running imports are shown until they end, in a new database and in one that has rows",
        arguments: [false, true])
    func running(_ isNew: Bool) throws {
        if !isNew { try world.load(try world.write("[{\"id\":1}]"), "--key", "id", "-q").expect(0) }
        let script = """
            mkfifo pipe
            tributary import -q app.sqlite --key id --table users - < pipe & import=$!
            exec 3> pipe
            printf '{"id":1}\\n{"id":2}\\n' >&3
            until tributary status app.sqlite 2>/dev/null | grep -q running; do kill -0 $import || exit 9; done
            tributary status --watch app.sqlite > watch.txt 3>&- & watch=$!
            until grep -q 'standard input into users' watch.txt; do kill -0 $watch || exit 8; done
            exec 3>&-
            wait $import || exit 7
            wait $watch; echo $?
            cat watch.txt
            """
        let outcome = try Tool.shell(script, in: world.folder.url).expect(0)
        let run = isNew ? 1 : 2
        #expect(outcome.lines.first == "0", "\(outcome.text)\(outcome.error)")
        #expect(outcome.text.contains("\nrun \(run)  standard input into users  "), "\(outcome.text)")
        #expect(
            outcome.lines.last?.hasPrefix("run \(run)  standard input into users  finished: 2 read = ") ?? false,
            "\(outcome.text)")
        #expect(!outcome.text.contains("\u{1B}"))
    }

    @Test("Ctrl-C ends it, and an import that was killed is interrupted")
    func signals() throws {
        let script = """
            mkfifo pipe
            tributary import -q app.sqlite --key id --table users - < pipe & import=$!
            exec 3> pipe
            printf '{"id":1}\\n' >&3
            until tributary status app.sqlite 2>/dev/null | grep -q running; do kill -0 $import || exit 9; done
            set -m
            tributary status --watch app.sqlite > one.txt 3>&- & one=$!
            tributary status --watch app.sqlite > two.txt 3>&- & two=$!
            for file in one.txt two.txt; do until grep -q 'run 1' $file; do kill -0 $import || exit 8; done; done
            kill -INT $one; wait $one; echo $?
            kill -KILL $import
            wait $two; echo $?
            cat two.txt
            """
        let outcome = try Tool.shell(script, in: world.folder.url).expect(0)
        #expect(Array(outcome.lines.prefix(2)) == ["130", "0"], "\(outcome.text)\(outcome.error)")
        #expect(outcome.lines.last?.contains("interrupted") ?? false, "\(outcome.text)")
        try Tool.tributary.run(["status", "--watch", world.database]).expect(0, output: "nothing is running\n")
    }

    @Test("An import that has begun is waited for before its first entry")
    func beforeTheFirstEntry() throws {
        try world.load(try world.write("[{\"id\":1}]"), "--key", "id", "-q").expect(0)
        let lock = try WriterLock(database: world.database)
        try Tool.shell("timeout 1 tributary status --watch app.sqlite; echo $?", in: world.folder.url).expect(
            0, output: "124\n")
        // A process that begins no import is not waited for.
        let number = ProcessInfo.processInfo.processIdentifier
        try Tool.shell("timeout 60 tributary status --watch app.sqlite", in: world.folder.url).expect(
            0, output: "process \(number) has the database open, and has begun no import\n")
        withExtendedLifetime(lock) {}
    }

    @Test("A process with the number of one that was killed is none that imports")
    func killed() throws {
        try world.load(try world.write("[{\"id\":1}]"), "--key", "id", "-q").expect(0)
        let script = "echo $$ > app.sqlite-writer; timeout 60 tributary status --watch app.sqlite"
        try Tool.shell(script, in: world.folder.url).expect(0, output: "nothing is running\n")
    }

    @Test("Without a database, and with other output, it is refused")
    func refusals() throws {
        try Tool.tributary.run(["status", "--watch", world.database]).expect(1, error: "the database does not exist")
        for option in ["--json", "--unfinished"] {
            try Tool.tributary.run(["status", "--watch", option, world.database]).expect(
                64, error: "'--watch' and '\(option)' cannot be used together")
        }
    }
}
