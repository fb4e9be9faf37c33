/// A request that has no page, with what its page says instead.
struct PageError: Error {
    /// The status of HTTP.
    let status: Int
    /// What happened.
    let heading: String
    /// Where and why.
    let message: String
    /// What to do; empty if there is nothing.
    let advice: String

    /// An error with its texts.
    init(_ status: Int, _ heading: String, _ message: String, advice: String = "") {
        (self.status, self.heading, self.message, self.advice) = (status, heading, message, advice)
    }
}
