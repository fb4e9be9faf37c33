#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads and writes model files.
///
/// A path leads to a `.xcdatamodeld` bundle of versions, to a `.xcdatamodel` directory, or to the XML inside as a plain file.
///
/// ```swift
/// let model = try Model(ModelFile.read("Library.xcdatamodeld"))
/// ```
public enum ModelFile {
    /// What the model at `path` states; of a bundle, its current version.
    ///
    /// The model is not checked: `Model` does that.
    public static func read(_ path: String) throws -> ModelDescription {
        guard let kind = ModelFolder.kind(of: path) else {
            throw ModelError(["there is no such file or directory"], file: path)
        }
        if kind == .file { return try ModelReader.read(ModelFolder.bytes(of: path), file: path) }
        if try isModel(path) { return try readModel(path) }
        let versions = try versions(path)
        guard let current = versions.first(where: \.isCurrent) else {
            let names = versions.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw ModelError(
                [
                    "no version is current and none is named as the bundle; read one of \(names), or name one in .xccurrentversion"
                ],
                file: path)
        }
        return try current.read()
    }

    /// The versions of a bundle by name, in the order of their names; the model itself where there are no versions.
    public static func versions(_ path: String) throws -> [ModelVersion] {
        guard let kind = ModelFolder.kind(of: path) else {
            throw ModelError(["there is no such file or directory"], file: path)
        }
        let isSingle = try kind == .file || isModel(path)
        if isSingle { return [ModelVersion(name: ModelFolder.name(of: path), path: path, isCurrent: true)] }
        let files = ModelFolder.entries(of: path).filter { $0.hasSuffix(".xcdatamodel") }
            .sorted { ModelFolder.name(of: $0) < ModelFolder.name(of: $1) }
        guard !files.isEmpty else {
            throw ModelError(["there is no version, such as \"Name.xcdatamodel\", in the directory"], file: path)
        }
        let names = files.map(ModelFolder.name(of:))
        let current = try currentVersion(of: path, among: names)
        return zip(names, files).map { name, file in
            ModelVersion(name: name, path: "\(path)/\(file)", isCurrent: name == current)
        }
    }

    /// The model as the XML of a file named `contents`.
    ///
    /// It reads back equal if it is a model that `Model` accepts; a default that is stated as a whole number for an attribute
    /// with a fraction comes back as one with a fraction, and an empty text where there may be none comes back as none.
    /// Version identifiers are divided by commas.
    public static func write(_ model: ModelDescription) -> String { ModelWriter.write(model) }

    /// What a `.xcdatamodel` directory states.
    static func readModel(_ path: String) throws -> ModelDescription {
        let contents = "\(path)/contents"
        return try ModelReader.read(ModelFolder.bytes(of: contents), file: contents)
    }

    /// Whether a directory is one version of a model; one of the form before Xcode 4.3 is refused.
    private static func isModel(_ path: String) throws -> Bool {
        if ModelFolder.kind(of: "\(path)/contents") == .file { return true }
        guard ModelFolder.kind(of: "\(path)/elements") == .file else {
            guard path.hasSuffix(".xcdatamodel") else { return false }
            throw ModelError(["there is no file \"contents\" in the directory"], file: path)
        }
        throw ModelError(
            [
                "the model has the binary form from before Xcode 4.3 (elements); open and save it in Xcode, which writes contents"
            ],
            file: path)
    }

    /// The version named by `.xccurrentversion`; else the only one; else the one named as the bundle.
    private static func currentVersion(of path: String, among names: [String]) throws -> String? {
        let file = "\(path)/.xccurrentversion"
        if ModelFolder.kind(of: file) == .file,
            let named = try CurrentVersion.name(in: ModelFolder.bytes(of: file), file: file)
        {
            let name = ModelFolder.name(of: named)
            if names.contains(name) { return name }
        }
        if names.count == 1 { return names.first }
        let bundle = ModelFolder.name(of: path)
        return names.contains(bundle) ? bundle : nil
    }
}
