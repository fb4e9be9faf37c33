import TributaryModel

/// `tributary model`: prints a model.
package struct ModelCommand: Command {
    /// The form of the output.
    enum Format: String, CaseIterable {
        case text
        case xml
        case mermaid
    }

    package static let spec = CommandSpec(
        name: "model",
        summary: "Print the model of a database or of a model file",
        operands: "[OPTIONS] DB|MODEL",
        examples: [
            "tributary model app.sqlite",
            "tributary model app.sqlite --format xml > App.xml",
            "tributary model App.xcdatamodeld --json | jq -r '.entities[].name'",
            "tributary model App.xcdatamodeld --format mermaid > model.mmd",
        ],
        discussion: """
            DB is a database with imported records, which keeps its model; it is only read. MODEL is an .xcdatamodeld, of
            which the current version is printed, an .xcdatamodel, or its XML. As text, each entity is a paragraph with
            its attributes, relationships and keys. The XML is a model file for --model; JSON has all of the model;
            Mermaid draws it as a class diagram.
            """,
        options: [
            OptionSpec(
                "--format", value: "FORMAT", as: .cases(of: Format.self), default: Format.text.rawValue,
                help: "Form of the output"),
            OutputOptions.json("model"),
        ],
        noPostgres: "it stores no model; name the file of the model")

    private let path: String
    private let format: Format
    private let isJSON: Bool

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        path = try parsed.operand("database or model")
        format = try parsed.choice("--format", Format.init) ?? .text
        isJSON = parsed.has("--json")
        try parsed.exclude("--json", "--format")
    }

    package func run() throws -> Int32 {
        let model = try StoredDatabase.model(at: path)
        if isJSON {
            try OutputFile().end(ModelOutline(model).json())
            return ExitCode.success
        }
        let text =
            switch format {
            case .text: ModelText.text(model)
            case .xml: ModelFile.write(model.declaration)
            case .mermaid: ModelDiagram.mermaid(model)
            }
        try OutputFile().end(text)
        return ExitCode.success
    }
}
