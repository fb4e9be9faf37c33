import Testing
import TributaryTestSupport

extension Tool.Outcome {
    /// Expects an exit code, and texts that standard error has or lacks, and standard output is, begins with or has.
    @discardableResult
    func expect(
        _ code: Int32? = nil, error errors: String..., without absent: String..., output: String? = nil,
        prefix: String = "", text texts: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let hasErrors = errors.allSatisfy(error.contains) && !absent.contains(where: error.contains)
        let hasOutput = texts.allSatisfy(text.contains) && text.starts(with: prefix) && text == output ?? text
        let isExpected = self.code == code ?? self.code && hasErrors && hasOutput
        #expect(isExpected, "\(self.code): \(text)\n\(error)", sourceLocation: sourceLocation)
        return self
    }
}
