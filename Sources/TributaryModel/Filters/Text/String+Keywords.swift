extension String {
    /// The text with only the letters a to z in upper case, so that no other letter can become part of a keyword.
    var inKeywordCase: String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value - 32)) : scalar)
        }
        return String(text)
    }
}
