extension ModelReader {
    mutating func relationship(_ element: MarkupElement, _ name: String, of entity: String) -> RelationshipDescription {
        let owner = "entity \"\(entity)\": relationship \"\(name)\""
        var relationship = RelationshipDescription(name, to: element["destinationEntity"] ?? "")
        let minimum = count(element, "minCount", owner)
        let maximum = count(element, "maxCount", owner)
        relationship.isToMany =
            element["toMany"].map { $0 == "YES" } ?? maximum.map { $0 != 1 } ?? false
        if relationship.isToMany {
            relationship.minimumCount = minimum ?? 0
            relationship.maximumCount = maximum ?? 0
        }
        relationship.inverse = element["inverseName"]
        relationship.inverseEntity = element["inverseEntity"].flatMap { $0 == relationship.destination ? nil : $0 }
        relationship.isOptional = element.flag("optional")
        relationship.isTransient = element.flag("transient")
        relationship.isOrdered = element.flag("ordered")
        if let text = element["deletionRule"] {
            if let rule = DeleteRule(rawValue: text) {
                relationship.deleteRule = rule
            } else {
                report(element, "\(owner) has the deletion rule \"\(text)\"; write Nullify, Cascade, Deny or No Action")
            }
        }
        relationship.renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
        relationship.versionHashModifier = element["versionHashModifier"]
        relationship.userInfo = element.userInfo
        return relationship
    }

    mutating func template(_ element: MarkupElement, _ name: String) -> FetchTemplate {
        let owner = "fetch request \"\(name)\""
        var template = FetchTemplate(name, of: element["entity"] ?? "", where: element["predicateString"])
        template.limit = count(element, "fetchLimit", owner) ?? 0
        template.batchSize = count(element, "fetchBatchSize", owner) ?? 0
        if let code = count(element, "resultType", owner) {
            if let result = FetchTemplate.Result(rawValue: code) {
                template.result = result
            } else {
                report(element, "\(owner) has the result type \(code); write 0, 1 or 2")
            }
        }
        template.includesSubentities = element["includeSubentities"] != "NO"
        template.includesPendingChanges = element["includesPendingChanges"] != "NO"
        template.returnsDistinctResults = element.flag("returnDistinctResults")
        template.userInfo = element.userInfo
        return template
    }

    /// The indexes of an entity, in the current and in the previous form of the file.
    ///
    /// Indexes of expressions are ignored.
    func indexes(_ element: MarkupElement) -> [IndexDescription] {
        var indexes: [IndexDescription] = []
        for (position, index) in element.children("fetchIndex").enumerated() {
            let elements = index.children("fetchIndexElement")
            let properties = elements.compactMap { part in
                part["property"].map { IndexDescription.Element($0, isAscending: part["order"] != "descending") }
            }
            guard properties.count == elements.count else { continue }
            indexes.append(IndexDescription(index["name"] ?? "index\(position + 1)", properties))
        }
        for index in element.children("compoundIndexes").flatMap({ $0.children("compoundIndex") }) {
            let properties = index.children("index").compactMap { $0["value"] }
            let taken = Set(indexes.map(\.name))
            var name = "by_" + properties.joined(separator: "_")
            while taken.contains(name) { name += "_" }
            indexes.append(IndexDescription(name, properties.map { IndexDescription.Element($0) }))
        }
        return indexes
    }

    private mutating func count(_ element: MarkupElement, _ attribute: String, _ owner: String) -> Int? {
        guard let text = element[attribute] else { return nil }
        if let count = Int(text) { return count }
        report(element, "\(owner) has \"\(text)\" as \(attribute), which is not a whole number; correct it")
        return nil
    }
}
