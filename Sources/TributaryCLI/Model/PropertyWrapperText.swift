/// The wrapper of a property with its arguments.
struct PropertyWrapperText {
    private let name: String
    private let arguments: [String]
    private let options: [String]
    /// Whether the options are an array.
    private let isList: Bool

    /// A wrapper with arguments and options, of which up to `positional` are arguments of their own.
    init(_ name: String, _ arguments: [String], _ options: [String], positional: Int, needsList: Bool = false) {
        self.name = name
        self.arguments = arguments
        self.options = options
        isList = options.count > positional || needsList && !options.isEmpty
    }

    /// The lines of the property.
    func lines(_ property: String) -> [String] {
        let indent = "    "
        let list = isList ? ["[\(options.joined(separator: ", "))]"] : options
        let all = arguments + list
        let wrapper = all.isEmpty ? name : "\(name)(\(all.joined(separator: ", ")))"
        let line = "\(indent)\(wrapper) \(property)"
        if SwiftLines.fits(line) { return [line] }
        if SwiftLines.fits(indent + wrapper) || options.isEmpty {
            return ["\(indent)\(wrapper)", "\(indent)\(property)"]
        }
        let comma = options.count > 1 ? "," : ""
        if arguments.isEmpty {
            return ["\(indent)\(name)(["] + options.map { "\(indent)    \($0)\(comma)" }
                + ["\(indent)])", "\(indent)\(property)"]
        }
        return ["\(indent)\(name)(", "\(indent)    \(arguments.joined(separator: ", ")),", "\(indent)    ["]
            + options.map { "\(indent)        \($0)\(comma)" } + ["\(indent)    ])", "\(indent)\(property)"]
    }
}
