import TributaryJSON

/// `tributary generate`: writes the Swift classes of a model.
package struct GenerateCommand: Command {
    package static let spec = CommandSpec(
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
            OptionSpec(
                "--output", "-o", value: "DIR", group: .target,
                help: "Directory of the files; made if it does not exist"),
            OptionSpec(
                "--access", value: "LEVEL", as: .cases(of: ClassAccess.self), default: ClassAccess.internal.rawValue,
                help: "Access of the classes"),
            OptionSpec(
                "--check", group: .target, help: "Write nothing; list the files that are not up to date (exit code 1)"),
        ] + OutputOptions.specs("outcome"),
        noPostgres: "it stores no model; name the file of the model")

    private let path: String
    private let directory: String
    private let access: ClassAccess
    private let isCheck: Bool
    private let output: OutputOptions
    /// The command line that writes the classes.
    private let line: String

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        path = try parsed.operand("model")
        guard let directory = parsed.text("--output") else {
            throw UsageError("Name the directory of the classes: --output DIR")
        }
        guard directory != "-" else {
            throw UsageError("Option '--output' takes the name of a directory, not '\(directory)'")
        }
        self.directory = directory
        access = try parsed.choice("--access", ClassAccess.init) ?? .internal
        isCheck = parsed.has("--check")
        output = try OutputOptions(parsed)
        line = parsed.line(leavingOut: ["--check"])
    }

    package func run() throws -> Int32 {
        let name = StoredDatabase.name(of: path)
        let generator = ClassGenerator(try StoredDatabase.model(at: path), from: name, access: access)
        let changes = try GeneratedFolder(directory, header: generator.header).changes(to: generator.files)
        if !isCheck { try changes.write() }
        try output.print(json: json(changes), text: text(changes))
        return isCheck && !changes.isEmpty ? ExitCode.failure : ExitCode.success
    }

    private func text(_ changes: GeneratedFolder.Changes) -> String {
        let (missing, different) = (changes.missing.map(\.path), changes.different.map(\.path))
        let parts =
            isCheck
            ? [("missing", missing), ("differs", different), ("obsolete", changes.obsolete)]
            : [("written", missing + different), ("deleted", changes.obsolete)]
        let lines = parts.flatMap { word, paths in paths.map { "\(word): \(Excerpt.escape($0))\n" } }
        let same = "\(changes.unchanged) \(changes.unchanged == 1 ? "file" : "files")"
        guard isCheck, !changes.isEmpty else {
            return lines.joined()
                + (isCheck ? "\(same) up to date\n" : changes.unchanged > 0 ? "\(same) unchanged\n" : "")
        }
        return lines.joined() + "to write the classes again, run: \(line)\n"
    }

    private func json(_ changes: GeneratedFolder.Changes) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("check", isCheck)
        writer.add("missing", changes.missing.map(\.path))
        writer.add("different", changes.different.map(\.path))
        writer.add("obsolete", changes.obsolete)
        writer.add("unchanged", changes.unchanged)
        return writer.finish()
    }
}
