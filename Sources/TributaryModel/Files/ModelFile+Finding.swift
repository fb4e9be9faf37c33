extension ModelFile {
    /// The path of the model of a name, or nil: the first found in `folders`.
    ///
    /// A folder may be a directory, a bundle of an app or of resources, or a bundle of model versions. A bundle of versions is
    /// preferred to a single model, and that to plain XML.
    public static func find(named name: String, in folders: [String]) -> String? {
        let extensions = [".xcdatamodeld", ".xcdatamodel", ".xml"]
        let wanted = extensions.contains(where: { name.hasSuffix($0) }) ? ModelFolder.name(of: name) : name
        guard !wanted.isEmpty, !wanted.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let allowed = extensions.filter { name.hasSuffix($0) }
        for folder in folders {
            for place in places(in: folder) {
                for suffix in allowed.isEmpty ? extensions : allowed {
                    let path = "\(place)/\(wanted)\(suffix)"
                    if ModelFolder.kind(of: path) != nil { return path }
                }
            }
        }
        return nil
    }

    /// The paths of all models in a folder, but for plain XML, which may be anything.
    static func models(in folder: String) -> [String] {
        places(in: folder).flatMap { place in
            ModelFolder.entries(of: place).filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }
                .map { "\(place)/\($0)" }
        }
    }

    /// Where models lie in a folder: in itself, in its resources, and in the bundles it holds.
    private static func places(in folder: String) -> [String] {
        let inner = ["", "/Resources", "/Contents/Resources"]
        let bundles = ModelFolder.entries(of: folder).filter { $0.hasSuffix(".bundle") || $0.hasSuffix(".resources") }
        return inner.map { folder + $0 } + bundles.flatMap { bundle in inner.map { "\(folder)/\(bundle)\($0)" } }
    }
}
