import Foundation

/// Reads and writes model files.
///
/// A path refers to a `.xcdatamodeld` bundle of versions, a `.xcdatamodel` directory, or a plain file with the XML.
///
/// ```swift
/// let model = try Model(ModelFile.read("Library.xcdatamodeld"))
/// ```
public enum ModelFile {
    /// The description of the model at `path`; for a bundle, of its current version.
    ///
    /// The model is not checked; `Model` checks it.
    public static func read(_ path: String) throws -> ModelDescription {
        let versions = try versions(path)
        guard let current = versions.first(where: \.isCurrent) else {
            let names = versions.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw ModelError(
                [
                    "no version is current and none has the name of the bundle; read one of \(names), or name one in .xccurrentversion"
                ],
                file: path)
        }
        guard current.path == path else { return try read(current.path) }
        let file = ModelFolder.kind(of: path) == .typeRegular ? path : "\(path)/contents"
        return try ModelReader.read(ModelFolder.bytes(of: file), file: file)
    }

    /// The versions of a bundle, ordered by name, in which numbers count by their value; for a single model, the model itself.
    public static func versions(_ path: String) throws -> [ModelVersion] {
        guard let kind = ModelFolder.kind(of: path) else {
            throw ModelError(["there is no such file or directory"], file: path)
        }
        let isSingle = try kind == .typeRegular || isModel(path)
        if isSingle { return [ModelVersion(name: ModelFolder.name(of: path), path: path, isCurrent: true)] }
        let files = ModelFolder.entries(of: path).filter { $0.hasSuffix(".xcdatamodel") }
            .sorted(by: ModelFolder.precedes)
        guard !files.isEmpty else {
            throw ModelError(["there is no version, such as \"Name.xcdatamodel\", in the directory"], file: path)
        }
        let names = files.map(ModelFolder.name(of:))
        let current = try currentVersion(of: path, among: names)
        return zip(names, files).map { name, file in
            ModelVersion(name: name, path: "\(path)/\(file)", isCurrent: name == current)
        }
    }

    /// The XML of a model, for a file named `contents`.
    ///
    /// If `Model` accepts the model, reading the XML returns an equal model, with two exceptions: an integer default of
    /// a floating point attribute is read as a floating point number, and an empty optional text as nil. Version
    /// identifiers are separated by commas.
    public static func write(_ model: ModelDescription) -> String { ModelWriter.write(model) }

    /// Whether a directory is a single model; throws for the binary form from before Xcode 4.3.
    private static func isModel(_ path: String) throws -> Bool {
        if ModelFolder.kind(of: "\(path)/contents") == .typeRegular { return true }
        guard ModelFolder.kind(of: "\(path)/elements") == .typeRegular else {
            guard path.hasSuffix(".xcdatamodel") else { return false }
            throw ModelError(["there is no file \"contents\" in the directory"], file: path)
        }
        throw ModelError(
            [
                "the model has the binary form from before Xcode 4.3 (elements); open and save it in Xcode, which writes contents"
            ],
            file: path)
    }

    /// The version named by `.xccurrentversion`; else the only one; else the one with the name of the bundle.
    private static func currentVersion(of path: String, among names: [String]) throws -> String? {
        let file = "\(path)/.xccurrentversion"
        if ModelFolder.kind(of: file) == .typeRegular {
            let bytes = try ModelFolder.bytes(of: file)
            // Such a list has a few hundred bytes, so a much larger file is refused without decoding it.
            guard bytes.count <= 64 << 10,
                let list = try? PropertyListDecoder().decode(CurrentVersion.self, from: Data(bytes))
            else {
                throw ModelError(["this is no property list that can be read; correct or remove it"], file: file)
            }
            if let name = list.name.map(ModelFolder.name(of:)), names.contains(name) { return name }
        }
        if names.count == 1 { return names.first }
        let bundle = ModelFolder.name(of: path)
        return names.contains(bundle) ? bundle : nil
    }
}

/// The property list, as XML or binary, that names the current version of a bundle.
private struct CurrentVersion: Decodable {
    let name: String?

    enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
}
