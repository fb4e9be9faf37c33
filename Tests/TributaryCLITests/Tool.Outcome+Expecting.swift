import Testing
import TributaryTestSupport

extension Tool.Outcome {
    /// Expects an exit code, texts that are somewhere in the two outputs, and a beginning of the output.
    @discardableResult
    func expect(
        _ code: Int32, error errors: String..., prefix: String = "", text texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let isExpected = self.code == code && errors.allSatisfy(error.contains) && texts.allSatisfy(text.contains)
        #expect(isExpected, "\(self.code), not \(code): \(text)\n\(error)", sourceLocation: sourceLocation)
        if !prefix.isEmpty { #expect(text.hasPrefix(prefix), "\(text)\n\(error)", sourceLocation: sourceLocation) }
        return self
    }
}
