import TributaryJSON
import TributaryModel

extension RowText {
    /// Whether an import keeps an array or object without white space byte for byte.
    ///
    /// It changes escapes that JSON does not require, and refuses sizes beyond its limits. A text that it would change is
    /// written as a string, which it keeps. Near a limit that is also done without need: levels of the record and of
    /// objects around it are added to those of the text, and the members of all its objects are counted together.
    static func isKept(_ extent: JSONExtent) -> Bool {
        let limits = ReadLimits()
        return !extent.hasOptionalEscapes && extent.depth <= limits.depth - 64 && extent.members <= limits.keys
            && extent.key <= limits.key && extent.string <= limits.string && extent.number <= limits.number
    }
}
