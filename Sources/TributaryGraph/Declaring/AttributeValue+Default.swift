extension AttributeValue {
    /// The value as a default value of a model; nil for nil and for values that cannot be a default.
    var modelValue: ModelValue? {
        switch filterValue {
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .decimal(let number): .decimal(number)
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .date(let date): .date(date)
        case .data(let data): .data(data)
        case .uuid(let uuid): .uuid(uuid)
        case .url(let url): .url(url)
        case .null, .list, .object: nil
        }
    }
}
