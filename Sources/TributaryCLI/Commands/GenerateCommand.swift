import TributaryJSON
import TributaryModel

/// `tributary generate`: writes the Swift classes of a model.
package struct GenerateCommand {
    static let spec = CommandSpec(
        name: "generate",
        summary: "Write the Swift classes of a model",
        operands: "[OPTIONS] MODEL|DB --output DIR",
        examples: [
            "tributary generate App.xcdatamodeld --output Sources/App/Model",
            "tributary generate App.xcdatamodeld --output Sources/App/Model --check",
            "tributary generate app.sqlite --output Sources/Records --access public",
        ],
        discussion: """
            Writes a file for each entity, such as Book.swift, and one that makes the model of the classes, such as
            Model+App.swift. MODEL is an .xcdatamodeld, an .xcdatamodel, or its XML; DB a database with imported records.
            Each file begins with a line that says so. Files without this line are yours and never changed: put your
            code into extensions in files of your own. Files of entities that the model no longer has are deleted.
            """,
        options: [
            OptionSpec("--output", "-o", value: "DIR", help: "Directory of the files; made if it does not exist"),
            OptionSpec("--access", value: "LEVEL", help: "Access of the classes: internal, package, public (internal)"),
            OptionSpec("--check", help: "Write nothing; list the files that are not up to date (exit code 1)"),
            OptionSpec("--json", help: "Print the outcome as one JSON object"),
            OptionSpec("--quiet", "-q", "--silent", help: "Print only errors"),
        ])

    private let path: String
    private let directory: String
    private let access: ClassAccess
    private let isCheck: Bool
    private let isJSON: Bool
    private let isQuiet: Bool

    init(_ parsed: ParsedOptions) throws(UsageError) {
        guard parsed.operands.count == 1, parsed.operands[0] != "-" else {
            throw UsageError("Name one model: tributary generate MODEL --output DIR")
        }
        path = parsed.operands[0]
        guard let directory = parsed.text("--output") else {
            throw UsageError("Name the directory of the classes: --output DIR")
        }
        guard !directory.isEmpty, directory != "-" else {
            throw UsageError("Option '--output' takes the name of a directory, not '\(directory)'")
        }
        self.directory = directory
        let levels = ClassAccess.allCases.map(\.rawValue)
        access = try parsed.choice("--access", levels) { ClassAccess(rawValue: $0) } ?? .internal
        isCheck = parsed.has("--check")
        isJSON = parsed.has("--json")
        isQuiet = parsed.has("--quiet")
    }

    func perform() throws -> Int32 {
        let name = StoredDescription.name(of: path)
        let generator = ClassGenerator(try StoredDescription.model(at: path), from: name, access: access)
        let changes = try GeneratedFolder(directory, header: generator.header).changes(to: generator.files)
        if !isCheck { try changes.write() }
        let output = OutputFile.standardOutput()
        if isJSON {
            try output.write { $0 += json(changes) }
        } else if !isQuiet {
            try output.write { $0 += Array(text(changes).utf8) }
        }
        try output.flush()
        return isCheck && !changes.isEmpty ? ExitCode.failure : ExitCode.success
    }

    private func text(_ changes: GeneratedFolder.Changes) -> String {
        let parts =
            isCheck
            ? [("missing", changes.missing), ("differs", changes.different), ("obsolete", changes.obsolete)]
            : [("written", changes.missing + changes.different), ("deleted", changes.obsolete)]
        let lines = parts.flatMap { word, files in files.map { "\(word): \(Excerpt.escape($0.path))\n" } }
        let same = "\(changes.unchanged) \(changes.unchanged == 1 ? "file" : "files")"
        guard isCheck, !changes.isEmpty else {
            return lines.joined()
                + (isCheck ? "\(same) up to date\n" : changes.unchanged > 0 ? "\(same) unchanged\n" : "")
        }
        return lines.joined() + "run the command without --check to write the classes again\n"
    }

    private func json(_ changes: GeneratedFolder.Changes) -> [UInt8] {
        func paths(_ files: [GeneratedFolder.Target]) -> [UInt8] {
            Array("[".utf8) + files.map { JSONLineWriter.quoted($0.path) }.joined(separator: Array(",".utf8))
                + Array("]".utf8)
        }
        var writer = JSONLineWriter()
        writer.add("check", isCheck)
        writer.add("missing", json: paths(changes.missing))
        writer.add("different", json: paths(changes.different))
        writer.add("obsolete", json: paths(changes.obsolete))
        writer.add("unchanged", changes.unchanged)
        return writer.finish()
    }
}
