import TributaryGraph

/// Whether a filter matches a subject, which by default has no keys.
func filterHolds(_ text: String, _ subject: FilterItem = FilterItem("x"), variables: [String: FilterValue] = [:]) throws
    -> Bool
{
    try Filter(format: text).matches(subject, variables: variables)
}

/// The error that parsing a filter throws, or nil.
func filterFailure(_ text: String, _ arguments: any FilterArgument...) -> FilterError? {
    do throws(FilterError) {
        _ = try Filter(format: text, arguments: arguments)
        return nil
    } catch {
        return error
    }
}
