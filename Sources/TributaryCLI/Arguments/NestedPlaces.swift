/// The words of an option about objects inside of records, as in `orders.lines=sku`, sorted from those about the records.
struct NestedPlaces {
    /// The words about the records.
    private(set) var own: [String] = []
    /// The names by place.
    private(set) var names: [String: String] = [:]

    init(_ words: [String], _ option: String) throws(UsageError) {
        for word in words {
            guard let sign = word.lastIndex(of: "=") else {
                own.append(word)
                continue
            }
            let (place, name) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
            guard place.contains(".") || place.contains("{}"), !name.isEmpty else {
                throw UsageError(
                    "Option '\(option)' takes PLACE=NAME for objects inside of records, as in orders.lines=NAME, not '\(word)'"
                )
            }
            guard names.updateValue(name, forKey: place) == nil else {
                throw UsageError("Option '\(option)' names '\(place)' twice")
            }
        }
    }
}
