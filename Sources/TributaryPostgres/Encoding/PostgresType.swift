import TributaryModel

/// The type of a column, and the form in which its values cross to the server.
struct PostgresType: Sendable, Hashable {
    /// A binary form, or text that the server converts.
    enum Form: Sendable, Hashable {
        case boolean, int16, int32, int64, float32, float64
        /// A decimal number, of at most so many digits, and so many of them after the point.
        case numeric(precision: Int?, scale: Int)
        /// Text of at most so many characters.
        case text(limit: Int?)
        case json, jsonb, uuid, bytes
        /// A point in time, with or without a time zone; without one it is that of UTC.
        case timestamp
        case date
        /// An array of JSON, or a text, that becomes the text of an array, which the server converts.
        case array
        /// Text that the server converts to the type.
        case converted
    }

    /// The form.
    let form: Form
    /// The type in SQL, as the server writes it.
    let name: String
    /// The type of the form in SQL, which the column of a staging table has.
    let stagedName: String
    /// The type that staged values are converted to.
    ///
    /// For a type without a form of its own it has no length: a conversion to a length cuts a value without a word, and
    /// the column itself refuses it.
    let castName: String
    /// Whether a collation, or spaces at the end, let different texts be equal.
    private let isLooseText: Bool

    init(
        _ form: Form, name: String, stagedName: String? = nil, castName: String? = nil, isLooseText: Bool = false
    ) {
        (self.form, self.name, self.stagedName, self.isLooseText) = (form, name, stagedName ?? name, isLooseText)
        self.castName = castName ?? name
    }

    /// The type for an attribute of a table that an import creates; nil if its values cannot be stored there.
    init?(_ type: AttributeType) {
        switch type.kind {
        case .boolean: self.init(.boolean, name: "boolean")
        case .integer16: self.init(.int16, name: "smallint")
        case .integer32: self.init(.int32, name: "integer")
        case .integer64: self.init(.int64, name: "bigint")
        case .float: self.init(.float32, name: "real")
        case .double: self.init(.float64, name: "double precision")
        case .decimal: self.init(.numeric(precision: nil, scale: 0), name: "numeric")
        case .string, .uri: self.init(.text(limit: nil), name: "text")
        case .json: self.init(.jsonb, name: "jsonb")
        case .uuid: self.init(.uuid, name: "uuid")
        case .binary: self.init(.bytes, name: "bytea")
        case .date: self.init(.timestamp, name: "timestamp with time zone")
        default: return nil
        }
    }

    /// The type of a column of an existing table: its object identifier, or that of the type that its domain is based on,
    /// and its name with and without a modifier; `isLoose` says that its collation lets different texts be equal.
    init(id: Int, modifier: Int, name: String, plainName: String, isLoose: Bool) {
        let form: (Form, String)
        switch id {
        case 16: form = (.boolean, "boolean")
        case 17: form = (.bytes, "bytea")
        case 20: form = (.int64, "bigint")
        case 21: form = (.int16, "smallint")
        case 23: form = (.int32, "integer")
        case 25: form = (.text(limit: nil), "text")
        // The limit is modifier - 4; a cast would cut the text without a word.
        case 1042, 1043: form = (.text(limit: modifier >= 4 ? modifier - 4 : nil), "text")
        case 114: form = (.json, "json")
        case 700: form = (.float32, "real")
        case 701: form = (.float64, "double precision")
        case 1082: form = (.date, "date")
        case 1114: form = (.timestamp, "timestamp without time zone")
        case 1184: form = (.timestamp, "timestamp with time zone")
        case 1700:
            let bounds = modifier >= 4 ? modifier - 4 : nil
            // Eleven bits, since a scale may be negative.
            let scale = bounds.map { ($0 & 0x7FF ^ 1024) - 1024 } ?? 0
            form = (.numeric(precision: bounds.map { $0 >> 16 & 0xFFFF }, scale: scale), "numeric")
        case 2950: form = (.uuid, "uuid")
        case 3802: form = (.jsonb, "jsonb")
        default: form = (plainName.hasSuffix("[]") ? .array : .converted, "text")
        }
        self.init(
            form.0, name: name, stagedName: form.1, castName: [.converted, .array].contains(form.0) ? plainName : name,
            isLooseText: isLoose || id == 1042)
    }

    /// Whether a staged value is converted when it is inserted.
    var isConverted: Bool { name != stagedName }
    /// Whether two values of the type are the same if they are equal by `=`.
    var isComparable: Bool { ![.json, .converted, .array].contains(form) && !isLooseText }
    /// The type with texts in place of arrays of JSON.
    var withoutArrays: PostgresType {
        form == .array ? PostgresType(.converted, name: name, stagedName: stagedName, castName: castName) : self
    }

    /// Whether different values are different keys for the server too, unlike 1.0 and 1.00, or texts that end with spaces.
    var hasExactKeys: Bool {
        switch form {
        case .boolean, .int16, .int32, .int64, .uuid, .bytes, .timestamp, .date: true
        case .text: !isLooseText
        case .float32, .float64, .numeric, .json, .jsonb, .converted, .array: false
        }
    }

    /// The type of an attribute for the values of a column.
    var attributeType: AttributeType {
        switch form {
        case .boolean: .boolean
        case .int16: .integer16
        case .int32: .integer32
        case .int64: .integer64
        case .float32: .float
        case .float64: .double
        case .numeric: .decimal
        case .text, .converted: .string
        case .json, .jsonb, .array: .json
        case .uuid: .uuid
        case .bytes: .binary
        case .timestamp, .date: .date
        }
    }
}
