extension String {
    /// The text with the letters of ASCII in upper case; no other letter turns into one of a keyword.
    var inKeywordCase: String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value - 32)) : scalar)
        }
        return String(text)
    }
}
