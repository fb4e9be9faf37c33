extension Filter {
    /// Whether the filter is true for `subject`.
    ///
    /// - Throws: `FilterError` for a malformed literal, an unknown key, a variable without a value, or values of the
    ///   wrong type for an operation.
    public func matches(
        _ subject: any FilterSubject, variables: [String: FilterValue] = [:]
    ) throws(FilterError) -> Bool {
        try FilterEvaluator(subject, variables: variables).isTrue(self)
    }

    /// The subjects for which the filter is true, in the given order.
    ///
    /// - Throws: the errors of ``matches(_:variables:)``.
    public func filtering<Subject: FilterSubject>(
        _ subjects: some Sequence<Subject>, variables: [String: FilterValue] = [:]
    ) throws(FilterError) -> [Subject] {
        try validate()
        var matching: [Subject] = []
        for subject in subjects where try matches(subject, variables: variables) { matching.append(subject) }
        return matching
    }
}
