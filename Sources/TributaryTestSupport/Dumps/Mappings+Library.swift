public import Tributary

extension Mappings {
    /// Mappings of the library, of which some add to lists in place of replacing them.
    public init(adding lots: inout SeededGenerator) {
        func list(_ names: String...) -> Mapping {
            var mapping = Mapping()
            for name in names { mapping[name].links = lots.pick([.replace, .replace, .merge, .append]) }
            return mapping
        }
        self = ["Author": list("pupils", "books"), "Book": list("tags", "similar")]
    }
}
