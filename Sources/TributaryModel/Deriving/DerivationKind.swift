/// What a derivation gives, as far as a model tells.
enum DerivationKind: Equatable {
    case nothing, number, boolean, text, date, data, uuid, url
    /// An object of the entity at a place of the model.
    case object(Int)
    /// Objects of an entity.
    case objects(Int)
    /// Several values.
    indirect case several(DerivationKind)
    /// Whatever comes.
    case anything

    /// What the values of a type are.
    init(_ type: AttributeType) {
        self =
            switch type.kind {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
            case .string, .json: .text
            case .boolean: .boolean
            case .date: .date
            case .binary, .transformable: .data
            case .uuid: .uuid
            case .uri: .url
            case .objectID, .undefined: .anything
            }
    }

    /// What a constant is.
    init(_ value: FilterValue) {
        self =
            switch value {
            case .null: .nothing
            case .integer, .double, .decimal: .number
            case .string: .text
            case .date: .date
            case .data: .data
            case .uuid: .uuid
            case .url: .url
            case .boolean: .boolean
            case .list: .several(.anything)
            case .object: .anything
            }
    }

    /// What a cast gives.
    init(_ cast: FilterCast) {
        self =
            switch cast {
            case .string: .text
            case .number, .integer, .double, .decimal: .number
            case .boolean: .boolean
            case .date: .date
            case .data: .data
            case .uuid: .uuid
            case .url: .url
            }
    }

    /// One of those that it has, or itself.
    var element: DerivationKind {
        switch self {
        case .objects(let entity): .object(entity)
        case .several(let kind): kind
        default: self
        }
    }

    var isSeveral: Bool {
        switch self {
        case .objects, .several: true
        default: false
        }
    }

    /// Whether it can be computed with.
    var isNumber: Bool { [.number, .boolean, .anything, .nothing].contains(self) }

    /// Whether an attribute of a type can have it.
    func fits(_ type: AttributeType) -> Bool {
        switch (self, type.kind) {
        case (.nothing, _), (.anything, _): true
        case (.object, .objectID): true
        // 0 and 1 are true and false; whether a number is one of them is seen when it is there.
        case (.number, .boolean): true
        case (_, .undefined): !isSeveral
        case (_, .objectID): false
        default: self == DerivationKind(type)
        }
    }

    /// What it is, in a sentence.
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .number: "a number"
        case .boolean: "true or false"
        case .text: "text"
        case .date: "a date"
        case .data: "bytes"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object: "an object"
        case .objects, .several: "several values"
        case .anything: "anything"
        }
    }
}
