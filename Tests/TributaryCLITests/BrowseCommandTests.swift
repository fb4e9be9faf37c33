import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary browse`; its server is tested by `TributaryBrowseTests`.
@Suite struct BrowseCommandTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func makeDatabase(log: Bool = false) throws {
        let connection = try Connection(.file(world.database))
        if log { try connection.execute("PRAGMA journal_mode = WAL") }
        try connection.execute("CREATE TABLE t (a)")
        try connection.execute("INSERT INTO t VALUES (1)")
    }

    /// Starts the command with words, waits for its address, and has functions that ask for pages.
    private static let start = """
        set -m
        start() {
            rm -f address.txt; touch address.txt
            tributary browse app.sqlite "$@" > address.txt 2> messages.txt & server=$!
            until [ -s address.txt ]; do kill -0 $server || { cat messages.txt; exit 9; }; done
            address=$(cat address.txt); port=${address#http://127.0.0.1:}; port=${port%%/*}; token=${address#*token=}
        }
        ask() {
            exec 3<>/dev/tcp/127.0.0.1/$port || return 1
            printf 'GET %s HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\nCookie: %s\\r\\n\\r\\n' "$1" $port "$2" >&3
            head -n 1 <&3 | tr -d '\\r'
            exec 3>&-
        }

        """

    @Test(
        "It prints the address, serves pages to those who know it, and ends with a signal", arguments: ["INT", "TERM"])
    func serving(_ signal: String) throws {
        try makeDatabase()
        let script =
            Self.start + """
                start
                grep -cE '^http://127.0.0.1:[0-9]+/\\?token=[0-9a-f]{32}$' address.txt
                ask / no=cookie
                ask "/?token=$token"
                ask / "tributary_$port=$token"
                kill -\(signal) $server; wait $server; echo $?
                (ask /) 2>/dev/null || echo closed
                head -n 1 messages.txt
                """
        try Tool.shell(script, in: world.folder.url).expect(
            0,
            output: """
                1
                HTTP/1.1 403 Forbidden
                HTTP/1.1 303 See Other
                HTTP/1.1 200 OK
                \(signal == "INT" ? 130 : 143)
                closed
                tributary: open this address in a browser; Ctrl-C ends it

                """)
    }

    @Test("--port names the port, and one that is in use is an error")
    func ports() throws {
        try makeDatabase()
        let script =
            Self.start + """
                start
                tributary browse app.sqlite --port $port; echo $?
                kill $server; wait $server
                used=$port; start --port $used; [ $port = $used ]; echo $?
                kill $server; wait $server
                """
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(outcome.lines == ["1", "0"], "\(outcome)")
        #expect(outcome.error.contains("cannot be opened: another program uses it; choose another port"))
    }

    @Test("--open gives the browser of the system a file of this user, without the token in its arguments")
    func opening() throws {
        try makeDatabase()
        let browser = """
            #!/bin/sh
            { ls -l "$1" | cut -c 1-10; cat "$1"; echo "$@"; grep SigBlk /proc/self/status; } > seen.tmp
            mv seen.tmp seen.txt
            """
        for name in ["xdg-open", "open"] {
            let path = try world.folder.write(browser.utf8, to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let script =
            Self.start + """
                PATH=$PWD:$PATH TMPDIR=$PWD start "--open"
                until [ -e seen.txt ]; do kill -0 $server || exit 8; done
                head -n 1 seen.txt
                grep -c "url=$address" seen.txt
                grep -c 'tributary-.*[.]html$' seen.txt
                tail -n 2 seen.txt | grep -c $token
                tail -n 1 seen.txt
                kill $server; wait $server
                ls | grep -c tributary-
                """
        let outcome = try Tool.shell(script, in: world.folder.url)
        #expect(Array(outcome.lines.prefix(4)) == ["-rw-------", "1", "1", "0"], "\(outcome)")
        #expect(outcome.lines.last == "0", "\(outcome)")
        #expect(outcome.lines.contains("SigBlk:\t0000000000000000"), "\(outcome.text)")
    }

    @Test("What is no database of SQLite is refused")
    func refusals() throws {
        try Tool.tributary.run(["browse", world.database]).expect(1, error: "the database does not exist")
        try Tool.tributary.run(["browse"]).expect(64, error: "tributary browse DB")
        try Tool.tributary.run(["browse", "postgres://h/d"]).expect(64, error: "databases of SQLite only")
        try Tool.tributary.run(["browse", world.database, "--port", "70000"]).expect(64, error: "--port")
        let text = try world.write("no database", "text")
        try Tool.tributary.run(["browse", text]).expect(1, error: "not a database")
    }

    // MARK: Folders that cannot be written

    /// Words that run a program as a user without rights, if this one has them all.
    private static let humble = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    private static let canBeHumble =
        (try? Tool("/usr/bin/env").run(humble + [Tool.tributary.path, "--version"]).code == 0) ?? false

    @Test(
        "A database with a write-ahead log is read in a folder that cannot be written, unless the log has changes",
        .enabled(if: canBeHumble))
    func unwritableFolder() throws {
        try makeDatabase(log: true)
        let folder = world.folder.url.appending(path: "a?b%20#c").path
        let path = folder + "/app.sqlite"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: world.database, toPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
        func run(_ words: String...) throws -> Tool.Outcome {
            try Tool("/usr/bin/env").run(Self.humble + [Tool.tributary.path] + words)
        }
        try run("query", path, "t").expect(0, output: "{\"a\":1}\n")
        try run("status", path).expect(1, error: "nothing was imported")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["app.sqlite"])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try Data("changes".utf8).write(to: URL(filePath: path + "-wal"))
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        try run("query", path, "t").expect(1, error: "its write-ahead log (-wal) has changes")
    }
}
