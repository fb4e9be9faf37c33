extension Film {
    /// The film in a line of a list, such as `Solaris (1972), Andrei Tarkovsky, 166 min`.
    var line: String {
        ["\(title) (\(year))", director?.name, minutes.map { "\($0) min" }].compactMap(\.self).joined(separator: ", ")
    }
}
