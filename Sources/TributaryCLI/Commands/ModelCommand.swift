import TributaryJSON
import TributaryModel

/// `tributary model`: prints a model.
package struct ModelCommand {
    /// The form of the output.
    enum Format: String, CaseIterable {
        case text
        case xml
        case json
        case mermaid
    }

    static let spec = CommandSpec(
        name: "model",
        summary: "Print the model of a database or of a model file",
        operands: "[OPTIONS] DB|MODEL",
        examples: [
            "tributary model app.sqlite",
            "tributary model app.sqlite --format xml > App.xml",
            "tributary model App.xcdatamodeld --format json | jq -r '.entities[].name'",
            "tributary model App.xcdatamodeld --format mermaid > model.mmd",
        ],
        discussion: """
            DB is a database with imported records, which keeps its model; it is only read. MODEL is an .xcdatamodeld, of
            which the current version is printed, an .xcdatamodel, or its XML. As text, each entity is a paragraph with
            its attributes, relationships and keys. The XML is a model file for --model; JSON has all of the model;
            Mermaid draws it as a class diagram.
            """,
        options: [
            OptionSpec("--format", value: "FORMAT", help: "Form of the output: text, xml, json, mermaid (text)")
        ])

    private let path: String
    private let format: Format

    init(_ parsed: ParsedOptions) throws(UsageError) {
        guard parsed.operands.count == 1, parsed.operands[0] != "-" else {
            throw UsageError("Name one database or model: tributary model DB|MODEL")
        }
        path = parsed.operands[0]
        format = try parsed.choice("--format", Format.allCases.map(\.rawValue)) { Format(rawValue: $0) } ?? .text
    }

    func perform() throws -> Int32 {
        let model = try StoredDescription.model(at: path)
        let bytes: [UInt8] =
            switch format {
            case .text: Array(ModelText.text(model).utf8)
            case .xml: Array(ModelFile.write(model.declaration).utf8)
            case .json: try ModelOutline(model).json()
            case .mermaid: Array(ModelDiagram.mermaid(model).utf8)
            }
        let output = OutputFile.standardOutput()
        try output.write { $0 += bytes }
        try output.flush()
        return ExitCode.success
    }
}
