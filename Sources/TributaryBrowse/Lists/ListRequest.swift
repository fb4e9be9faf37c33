import TributaryModel
import TributarySQLite
import TributaryStore

/// The list that an address asks for.
struct ListRequest {
    /// The rows of a page.
    static let length = 50

    /// The columns.
    var columns: [ListColumn]
    /// The list; its request has a column for each expression of the columns.
    var list: RowList
    /// What is wrong with the filter; nil if nothing is.
    var filterError: FilterError?
    /// What is wrong with the columns, the order or the place; nil if nothing is.
    var error: String?
    /// The words before the filter that tell which objects these are; empty for all.
    var origin = ""

    /// The list of an address, which shows no rows if there is an error.
    init(_ request: PageRequest, _ source: QuerySource, _ database: BrowsedDatabase) throws {
        var values = ValueRequest(entity: source.entity.name)
        if let text = request.value("where") {
            do throws(FilterError) { values.filter = try Filter(format: text) } catch { filterError = error }
        }
        do throws(FilterError) {
            columns = try ListColumns.columns(of: request, source)
        } catch {
            self.error = "columns: \(error.reason)"
            columns = []
        }
        if let key = ListRequest.keyExpression(of: source) { values.columns.append(ValueRequest.Column("key", key)) }
        var number = 0
        for column in columns {
            for expression in column.expressions {
                values.columns.append(ValueRequest.Column("c\(number)", expression))
                number += 1
            }
        }
        values.match = request.value("match")
        list = RowList(values)
        // One more row tells whether there is another page.
        list.limit = ListRequest.length + 1
        if let text = request.value("sort") {
            let isDescending = text.hasPrefix("-") && source.entity[text] == nil
            list.isDescending = isDescending
            do throws(FilterError) {
                list.sort = try ListColumn.sortPath(isDescending ? String(text.dropFirst()) : text, of: source)
            } catch {
                self.error = "sort: \(error.reason)"
            }
        }
        if let name = request.value("of") { try setOrigin(name, request, source, database) }
        setPlace(request, source)
    }

    /// Reads the objects of a relationship: `of=Author&key=7&through=books`, or with `into=author` those that lead to it.
    private mutating func setOrigin(
        _ name: String, _ request: PageRequest, _ source: QuerySource, _ database: BrowsedDatabase
    ) throws {
        let owner = try database.source(name)
        guard !owner.isPlain, case .integer(let key)? = request.value("key").flatMap(ValueText.value) else {
            error = "of: the address names no object"
            return
        }
        if let through = request.value("through"), let relationship = owner.entity.relationship(named: through),
            source.entity.root == relationship.destination.root
        {
            list.scope = .destinations(relationship, of: key)
            origin = "\(through) of"
        } else if let into = request.value("into"), let relationship = source.entity.relationship(named: into) {
            list.scope = .owners(relationship, of: key)
            origin = "whose \(into) is"
        } else {
            error = "of: the address names no relationship"
        }
    }

    /// Reads the place: `after=VALUE&at=KEY` with an order, else `after=KEY`; likewise `before`, of which `end` is all.
    private mutating func setPlace(_ request: PageRequest, _ source: QuerySource) {
        guard source.identifiesRows else {
            list.offset = max(0, min(request.value("offset").flatMap { Int($0) } ?? 0, 1 << 40))
            return
        }
        list.isBackward = request.value("before") != nil
        guard let text = request.value("before") ?? request.value("after"), text != "end" else { return }
        let value = text == "*" ? nil : ValueText.value(of: text)
        if list.sort.isEmpty, let value, value != .null {
            list.place = RowList.Place(value: nil, key: value)
        } else if !list.sort.isEmpty, let key = request.value("at").flatMap(ValueText.value), key != .null,
            text == "*" || value != nil
        {
            list.place = RowList.Place(value: value, key: key)
        } else {
            error = "the address has no place of a row; go to the first page"
        }
    }

    /// The attribute that stands for a row before its columns, if that is not the key of the row itself.
    static func keyExpression(of source: QuerySource) -> FilterExpression? {
        source.isPlain ? nil : source.keyName.map { .keyPath([$0]) }
    }

    /// Whether there is nothing to read.
    var isWrong: Bool { filterError != nil || error != nil }

    /// The parameters of an address that lead to a place.
    static func place(_ place: RowList.Place, isBefore: Bool, isSorted: Bool) -> KeyValuePairs<String, String?> {
        let key = ValueText.text(of: place.key)
        let value = isSorted ? place.value.map(ValueText.text) ?? "*" : key
        return [
            "before": isBefore ? value : nil, "after": isBefore ? nil : value, "at": isSorted ? key : nil,
            "offset": nil,
        ]
    }
}
