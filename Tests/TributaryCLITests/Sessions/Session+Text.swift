extension Session {
    /// The session as commands of a shell, with the files.
    var shellText: String {
        var lines: [String] = []
        func run(_ statements: [String]) {
            lines.append("sqlite3 db.sqlite <<'END'\n\(statements.map { $0 + ";" }.joined(separator: "\n"))\nEND")
        }
        func write(_ text: String, to name: String) { lines.append("cat > \(name) <<'END'\n\(text)\nEND") }
        var place = SessionPlace(
            tables: definitions, folder: "", database: isPostgres ? "postgres://…" : "db.sqlite")
        if definitions.contains(where: { $0.maker == .model }) {
            for version in 1...2 { write(SessionTable.model(version: version), to: "v\(version).xml") }
        }
        if !statements.isEmpty { run(statements) }
        for (number, step) in steps.enumerated() {
            lines.append("# \(number)")
            switch step {
            case .load(let load):
                write(load.feed.text.trimmingSuffix("\n"), to: load.feed.fileName)
                if load.isProfiled { lines.append("tributary inspect \(load.feed.fileName) --json > profile.json") }
                if load.searches { lines.append("# with --search of the key, and of name if there is that column") }
                if load.makesIndexes {
                    lines.append("# with --index of the key, and --unique tag if there is that column")
                }
                let command = "tributary " + load.words(place).map(Session.quoted).joined(separator: " ")
                if let fault = load.fault {
                    let what = fault.isKill ? "killed" : "without space on the disk"
                    lines.append("\(command)  # \(what) from call \(fault.call) on that changes a file")
                }
                lines.append(command)
            case .retry(let retry):
                if retry.isFile {
                    lines.append(
                        "tributary rejects \(place.database) > rejects.ndjson  # and fix every reject of \(retry.fixed)"
                    )
                }
                let source = retry.isFile ? " rejects.ndjson" : ""
                lines.append(
                    "tributary retry \(place.database)\(source)" + (retry.isDryRun ? " --dry-run" : ""))
            case .undo(let isDryRun): lines.append("tributary undo db.sqlite" + (isDryRun ? " --dry-run" : ""))
            case .forget(let table):
                lines.append("tributary forget \(place.database) --entity \(definitions[table].name)")
            case .migrate(let version, let isDryRun):
                if !isDryRun { place.version = version }
                lines.append(
                    "tributary migrate db.sqlite --model v\(version).xml --drop-values" + (isDryRun ? " --dry-run" : "")
                )
            case .seed(let ids):
                write(Session.seedText(ids), to: "a.seed.json")
                lines.append("tributary seed db.sqlite a.seed.json --model v\(place.version).xml")
            case .edit(let table, let row, let value):
                lines.append(
                    "sqlite3 db.sqlite \"UPDATE \(definitions[table].name) SET name = \(value.json)\"  # of row \(row)")
            case .audit(let table): run(Session.audit(definitions[table].name))
            case .export: lines.append("tributary export db.sqlite --to copy | sh  # and compare both databases")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// A seed of people with these keys.
    static func seedText(_ ids: [Int]) -> String {
        "{\"people\":[\(ids.map { "{\"id\":\($0),\"active\":true}" }.joined(separator: ","))]}"
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x2D...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2C, 0x3D: true
            default: false
            }
        }
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
