extension Filter {
    /// Whether the filter is true for `subject`.
    ///
    /// - Throws: what a literal got wrong, a key that the subject does not know, a variable without a value, or values
    ///   that an operation cannot work with.
    public func matches(
        _ subject: any FilterSubject, variables: [String: FilterValue] = [:]
    ) throws(FilterError) -> Bool {
        try FilterEvaluator(subject, variables: variables).isTrue(self)
    }

    /// The subjects for which the filter is true, in their order.
    ///
    /// - Throws: what ``matches(_:variables:)`` throws.
    public func filtering<Subject: FilterSubject>(
        _ subjects: some Sequence<Subject>, variables: [String: FilterValue] = [:]
    ) throws(FilterError) -> [Subject] {
        try validate()
        var matching: [Subject] = []
        for subject in subjects where try matches(subject, variables: variables) { matching.append(subject) }
        return matching
    }
}
