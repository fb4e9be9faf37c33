extension String {
    /// The text with only the letters a to z in upper case, so that no other letter can become part of a keyword.
    var inKeywordCase: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }
}
