import TributaryImport
import TributaryModel
import TributarySQLite
import TributaryStore

/// The rows of an entity or table: filtered, sorted, a page at a time.
enum ListPage {
    /// The time for counting all rows.
    private static let countingTime = Duration.milliseconds(200)
    /// The time of reading after which a missing index is named.
    private static let slow = Duration.milliseconds(300)

    /// The page of a list.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let source = try database.source(request.path[1])
        var wanted = try ListRequest(request, source, database)
        let indexed = try database.database.indexedNames(of: source)
        var rows: [ListRow] = []
        let start = ContinuousClock.now
        do {
            if !wanted.isWrong { rows = try read(wanted, source, database) }
        } catch let error as FilterError {
            wanted.filterError = error
        } catch let error as FetchError {
            wanted.error = error.reason
        } catch  where database.isOutOfTime {
            throw tooSlow(request, wanted, source, indexed)
        }
        let time = ContinuousClock.now - start
        var values = try ListPage.values(request, wanted, source, indexed)
        let hasMore = rows.count > ListRequest.length
        if hasMore { rows.removeLast() }
        if wanted.list.isBackward { rows.reverse() }
        let heads = wanted.columns.map { head($0, request, wanted, indexed) }
        (values["rows"], values["heads"]) = ListRow.values(rows, heads: heads)
        values["isEmpty"] = .flag(rows.isEmpty && !wanted.isWrong)
        values.merge(pages(request, wanted, source, rows, hasMore: hasMore)) { $1 }
        if !wanted.isWrong {
            let count = try count(wanted, source, database, rows.count, hasMore: hasMore)
            values["count"] = .text(count)
            values["origin"] = .text(wanted.origin)
            if let owner = request.value("of"), let key = request.value("key").flatMap(ValueText.value) {
                values["owner"] = .text(try ObjectLabel.text(of: key, in: database.source(owner), database))
                values["ownerAddress"] = .text(Addresses.row(owner, key) ?? "")
            }
            if time > slow, let first = wanted.list.sort.first,
                !(wanted.list.sort.count == 1 && indexed.contains(first))
            {
                let tenths = Int(time / .milliseconds(100))
                let name = wanted.list.sort.joined(separator: ".")
                values["slow"] = .text(
                    "Sorting took \(tenths / 10).\(tenths % 10) s, since no index begins with \(name).")
            }
        }
        if !wanted.isWrong, let summary = try ProfilePage.summary(request, database) { values.merge(summary) { $1 } }
        let name = source.entity.name
        var page = Page(name, "list", values, status: wanted.isWrong ? 400 : 200)
        (page.entity, page.isSearchable) = (name, source.identifiesRows)
        return page
    }

    private static func read(
        _ wanted: ListRequest, _ source: QuerySource, _ database: BrowsedDatabase
    ) throws -> [ListRow] {
        var rows: [ListRow] = []
        let links = try ColumnLinks(source, database)
        let isFound = try database.database.forEachRow(of: wanted.list, in: source) { cursor, place in
            rows.append(try ListRow(cursor, place, wanted.columns, source, links))
        }
        guard isFound else {
            throw PageError(
                404, "The row of this place is gone", "The address continues after a row that no longer exists.",
                advice: "Go to the first page.")
        }
        return rows
    }

    private static func tooSlow(
        _ request: PageRequest, _ wanted: ListRequest, _ source: QuerySource, _ indexed: Set<String>
    ) -> PageError {
        let sort = wanted.list.sort.joined(separator: ".")
        let cause =
            !sort.isEmpty && !indexed.contains(sort)
            ? "All rows must be read to sort them by \(sort), since no index begins with it."
            : "The rows that meet the filter were not found in time."
        let names = indexed.sorted().prefix(8).joined(separator: ", ")
        return PageError(
            503, "This takes too long", "\(cause) Nothing is shown, since a part would look like all.",
            advice: "Narrow the filter\(names.isEmpty ? "" : ", or use one of the attributes with an index: \(names)")."
        )
    }

    /// How many rows there are.
    private static func count(
        _ wanted: ListRequest, _ source: QuerySource, _ database: BrowsedDatabase, _ shown: Int, hasMore: Bool
    ) throws -> String {
        let isAll = wanted.list.place == nil && wanted.list.offset == 0 && !hasMore
        if isAll { return FigureText.counted(shown, "row") }
        let end = ContinuousClock.now + countingTime
        let most = 100_000
        guard let few = try database.database.count(of: wanted.list, in: source, most: most, within: countingTime)
        else { return "more than \(FigureText.counted(shown, "row"))" }
        if few < most { return FigureText.counted(few, "row") }
        let all = try database.database.count(of: wanted.list, in: source, within: end - .now)
        return all.map { FigureText.counted($0, "row") } ?? "more than \(FigureText.counted(most, "row"))"
    }

    // MARK: Values

    /// The forms, the head of the table and what is wrong.
    private static func values(
        _ request: PageRequest, _ wanted: ListRequest, _ source: QuerySource, _ indexed: Set<String>
    ) throws -> PageValues {
        let name = source.entity.name
        var values: PageValues = [
            "entity": .text(name), "self": .text(Addresses.list(name)),
            "where": .text(request.value("where") ?? ""), "match": .text(request.value("match") ?? ""),
            "error": .text(wanted.error ?? ""),
            "kept": .list(kept(request, without: ["where", "after", "before", "at", "offset"])),
            "keptForColumns": .list(kept(request, without: ["columns"])),
            "keyHead": .list(source.identifiesRows ? [try keyHead(request, wanted, source, indexed)] : []),
            "profile": .text(PageRequest.address(["e", name, "profile"])),
            "examples": .list(
                FilterExamples.examples(of: source).map {
                    ["text": .text($0), "address": .text(Addresses.list(name, [("where", $0)]))]
                }),
            "all": .text(request.value("where") != nil || request.value("of") != nil ? Addresses.list(name) : ""),
        ]
        let shown = Set(wanted.columns.map(\.name))
        let properties = ListColumns.properties(of: source)
        values["choices"] = .list(
            properties.map { ["name": .text($0.name), "isChosen": .flag(shown.contains($0.name))] })
        values["paths"] = .text(wanted.columns.filter { !$0.isProperty }.map(\.name).joined(separator: ", "))
        let hidden = properties.count { !shown.contains($0.name) && $0.name != source.keyName }
        values["hidden"] = .text(hidden > 0 ? FigureText.grouped(hidden) : "")
        if let error = wanted.filterError {
            values["filterError"] = .text(error.reason)
            if let position = error.position, let text = request.value("where") {
                values["mark"] = .text(FilterMark.text(text, at: position))
                values["position"] = .text("character \(position.offset + 1)")
            }
        }
        if !wanted.list.sort.isEmpty {
            values["sorted"] = .text(wanted.list.sort.joined(separator: "."))
            values["direction"] = wanted.list.isDescending ? "from the greatest" : "from the least"
        }
        return values
    }

    /// The parameters that a form keeps.
    private static func kept(_ request: PageRequest, without names: Set<String>) -> [PageValues] {
        request.query.filter { !names.contains($0.name) && !$0.value.isEmpty }.map {
            ["name": .text($0.name), "value": .text($0.value)]
        }
    }

    /// The head of the links to rows, which sorts by the key.
    private static func keyHead(
        _ request: PageRequest, _ wanted: ListRequest, _ source: QuerySource, _ indexed: Set<String>
    ) throws -> PageValues {
        guard let name = source.keyName else { return ["name": "row"] }
        return head(try ListColumn(name, of: source), request, wanted, indexed)
    }

    private static func head(
        _ column: ListColumn, _ request: PageRequest, _ wanted: ListRequest, _ indexed: Set<String>
    ) -> PageValues {
        let sort = request.value("sort") ?? ""
        let (isUp, isDown) = (sort == column.name && !wanted.list.isDescending, sort == "-" + column.name)
        let next = isUp ? "-" + column.name : column.name
        let address = request.address(
            changing: ["sort": next, "after": nil, "before": nil, "at": nil, "offset": nil])
        return [
            "name": .text(column.name), "address": .text(column.isSortable ? address : ""),
            "order": .text(isUp ? "ascending" : isDown ? "descending" : ""),
            "isUp": .flag(isUp), "isDown": .flag(isDown), "isIndexed": .flag(indexed.contains(column.name)),
            "isMany": .flag(column.relationship?.isToMany ?? false),
        ]
    }

    /// The links to other pages.
    private static func pages(
        _ request: PageRequest, _ wanted: ListRequest, _ source: QuerySource, _ rows: [ListRow], hasMore: Bool
    ) -> PageValues {
        let list = wanted.list
        let start: KeyValuePairs<String, String?> = ["after": nil, "before": nil, "at": nil, "offset": nil]
        var links: PageValues = [:]
        guard source.identifiesRows else {
            let offset = list.offset
            if offset > 0 {
                links["first"] = .text(request.address(changing: start))
                let before = max(0, offset - ListRequest.length)
                links["previous"] = .text(request.address(changing: ["offset": before > 0 ? "\(before)" : nil]))
            }
            if hasMore {
                links["next"] = .text(request.address(changing: ["offset": "\(offset + ListRequest.length)"]))
            }
            return links
        }
        let isPart = list.place != nil || list.isBackward
        let hasPrevious = list.isBackward ? hasMore : list.place != nil
        let hasNext = list.isBackward ? list.place != nil : hasMore
        if isPart { links["first"] = .text(request.address(changing: start)) }
        func link(_ row: ListRow?, isBefore: Bool) -> PageValue {
            guard let row else { return "" }
            return .text(
                request.address(
                    changing: ListRequest.place(row.place, isBefore: isBefore, isSorted: !list.sort.isEmpty)))
        }
        if hasPrevious { links["previous"] = link(rows.first, isBefore: true) }
        if hasNext {
            links["next"] = link(rows.last, isBefore: false)
            links["last"] = .text(request.address(changing: ["before": "end", "after": nil, "at": nil, "offset": nil]))
        }
        return links
    }
}
