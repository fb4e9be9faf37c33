public import TributaryModel

extension ImportRoute {
    /// The same route for records that match a filter; the others are counted as skipped.
    ///
    ///     .rows("User").filtered(by: "country == \("nl") AND address.zip BEGINSWITH \("10") AND ANY tags == \("new")")
    ///
    /// Its names are members of the record as it is in the source, before any mapping. A missing member and null are both
    /// nil, values of different types are never equal, and dates are texts. What a filter leaves out is not offered to
    /// other routes. In a sync the rows of such records count as seen: they stay, and are not changed.
    ///
    /// An import with another filter is another import. A malformed filter is an error when the import begins.
    public func filtered(by filter: Filter) -> ImportRoute {
        filtered(by: RecordFilter(self.filter.map { .and([$0.filter, filter]) } ?? filter))
    }

    /// The route with a filter that others may share.
    package func filtered(by filter: RecordFilter) -> ImportRoute {
        var route = self
        route.filter = filter
        return route
    }
}
