/// What is fetched, and how.
struct FetchRequest: Sendable {
    let address: WebAddress
    /// The name of the source in messages.
    let name: String
    let settings: URLSource.Settings
}
