public import TributaryGraph
import TributaryImport
public import TributaryJSON

/// A dictionary from which an object is created or updated: members of JSON, and live objects beside them.
///
///     var input = CRUDInput(record)
///     input["book"] = book
///     let text: String? = input["text"]
///     let parent: Book? = input["book"]
///
/// Its members are read as those of a record: the first member of a wrong type is the error of the call.
public struct CRUDInput {
    /// The object of JSON.
    public let json: JSON
    let record: Record
    /// The live objects, by name.
    private var objects: [String: ManagedObject] = [:]

    init(_ json: JSON, of record: Record) { (self.json, self.record) = (json, record) }

    /// The members of a record.
    public init(_ record: Record) { self.init(record.value, of: record) }

    /// The members of an object of JSON; none by default.
    ///
    /// - Throws: `JSONError` if the text is not one object.
    public init(json text: String = "{}") throws {
        let records = try RecordList(json: text, at: ".")
        guard records.count == 1 else {
            throw ImportError(.route, "the text has \(records.count) values", hint: "give one object of JSON")
        }
        guard records[0].value.kind == .object else { throw records[0].value.mismatch(expected: "an object") }
        self.init(records[0])
    }

    /// A member as JSON; missing if there is none.
    public subscript(key: String) -> JSON { json[key] }

    /// A member as the type of the left side; nil if it is missing or null.
    public subscript<Value: JSONConvertible>(key: String) -> Value? { json[key] }

    /// A member as the type of the left side; a placeholder if it is missing or null, which is an error of the call.
    public subscript<Value: JSONDefaultConvertible>(key: String) -> Value { json[key] }

    /// A live object; nil if there is none of the class on the left side.
    public subscript<Object: ManagedObject>(key: String) -> Object? {
        get { objects[key] as? Object }
        set { objects[key] = newValue }
    }

    /// The dictionaries of a member that is an array of objects, or one object; nil if it is missing or null.
    ///
    /// - Throws: `JSONError` for anything else.
    public func inputs(_ key: String) throws -> [CRUDInput]? {
        let member: JSON = json[key]
        let values: [JSON]
        switch member.kind {
        case .missing, .null: return nil
        case .array: values = Array(member.elements)
        default: values = [member]
        }
        return try values.map { value in
            guard value.kind == .object else { throw value.mismatch(expected: "an object") }
            return CRUDInput(value, of: record)
        }
    }

    /// Throws the first error of reading the members.
    func checkReads() throws {
        if let failure = record.failure { throw failure }
    }
}
