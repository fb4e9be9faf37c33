package import TributaryJSON

extension RecordPath {
    /// The steps of a profile of the whole text that lead to the records.
    package var profileSteps: [PathProfile.Step] { stepTexts.compactMap { PathProfile.Step(text: $0) } }
}
