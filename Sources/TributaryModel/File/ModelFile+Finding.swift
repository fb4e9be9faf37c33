extension ModelFile {
    /// The path of the first model with a name in `folders`; nil if there is none.
    ///
    /// A folder may be a directory, an app or resource bundle, or a bundle of model versions. A bundle of versions is
    /// preferred to a single model, and a single model to plain XML.
    public static func find(named name: String, in folders: [String]) -> String? {
        let extensions = [".xcdatamodeld", ".xcdatamodel", ".xml"]
        let wanted = extensions.contains(where: { name.hasSuffix($0) }) ? ModelFolder.name(of: name) : name
        guard !wanted.isEmpty, !wanted.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let allowed = extensions.filter { name.hasSuffix($0) }
        for folder in folders {
            for directory in searchDirectories(of: folder) {
                for suffix in allowed.isEmpty ? extensions : allowed {
                    let path = "\(directory)/\(wanted)\(suffix)"
                    if ModelFolder.kind(of: path) != nil { return path }
                }
            }
        }
        return nil
    }

    /// The paths of all models in a folder, except plain XML files, which need not be models.
    static func models(in folder: String) -> [String] {
        searchDirectories(of: folder).flatMap { directory in
            ModelFolder.entries(of: directory).filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }
                .map { "\(directory)/\($0)" }
        }
    }

    /// The directories of a folder that may contain models: itself, its resources, and its bundles.
    private static func searchDirectories(of folder: String) -> [String] {
        let inner = ["", "/Resources", "/Contents/Resources"]
        let bundles = ModelFolder.entries(of: folder).filter { $0.hasSuffix(".bundle") || $0.hasSuffix(".resources") }
        return inner.map { folder + $0 } + bundles.flatMap { bundle in inner.map { "\(folder)/\(bundle)\($0)" } }
    }
}
