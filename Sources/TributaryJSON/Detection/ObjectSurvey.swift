/// A summary of the members of a top-level object in a sample.
struct ObjectSurvey {
    private struct Member {
        let key: String
        var isObject = false
        var isArray = false
        /// Whether the first element of the array is an object.
        var holdsObjects = false
        var elements = 0
        var keys: Set<String> = []
        /// Arrays of objects among the members of the value.
        var innerArrays: [String] = []
        var length = 0
        var isComplete = false
    }

    private var members: [Member] = []
    /// Whether the object ends within the sample.
    private(set) var isComplete = false
    /// Whether a comma follows the object, as between the elements of an array.
    private(set) var isFollowedByComma = false
    private var length = 0

    /// Examines the object at the beginning of the sample; nil if it is not JSON.
    init?(_ sample: UnsafeRawBufferPointer, isFinal: Bool, _ limits: ReadLimits) {
        var tokenizer = Tokenizer(sample, isFinal: isFinal, limits: limits)
        var begin = 0
        do {
            while tokenizer.expectation != .nothing, let token = try tokenizer.next() {
                if token.kind == .key, tokenizer.depth == 1 {
                    members.append(Member(key: tokenizer.text(of: token)))
                    begin = tokenizer.position
                }
                if !members.isEmpty, tokenizer.depth > 0 {
                    visit(token, tokenizer)
                    members[members.count - 1].length = tokenizer.position - begin
                    members[members.count - 1].isComplete = tokenizer.depth == 1 && token.kind != .key
                }
            }
        } catch {
            // The members before the damage suffice.
            guard tokenizer.depth > 0, !members.isEmpty else { return nil }
        }
        isComplete = tokenizer.expectation == .nothing
        length = tokenizer.position
        isFollowedByComma = isComplete && sample[length...].first { !$0.isJSONBlank } == UInt8(ascii: ",")
    }

    private mutating func visit(_ token: Tokenizer.Token, _ tokenizer: Tokenizer) {
        let last = members.count - 1
        let frames = tokenizer.frames
        switch (token.kind, tokenizer.depth) {
        case (.startObject, 2): members[last].isObject = true
        case (.startArray, 2): members[last].isArray = true
        case (.startObject, 3) where members[last].isArray:
            if frames[1].index == 0 { members[last].holdsObjects = true }
            members[last].elements += 1
        case (.key, 2): members[last].keys.insert(tokenizer.text(of: token))
        case (.startObject, 4) where members[last].isObject && !frames[2].isObject && frames[2].index == 0:
            if let key = frames[1].key { members[last].innerArrays.append(tokenizer.text(in: key)) }
        default: break
        }
    }

    /// The arrays of objects among the members, or if there are none, one level deeper.
    var arrays: [RecordPath] {
        let outer = members.filter(\.holdsObjects)
        if !outer.isEmpty {
            return outer.map { RecordPath(components: [.key($0.key), .elements]) }
        }
        guard !isUniform else { return [] }
        return members.flatMap { member in
            member.innerArrays.map {
                RecordPath(components: [.key(member.key), .key($0), .elements])
            }
        }
    }

    /// Whether the array is the main part of the object: it exceeds the sample, or makes up most of the text.
    var isMostlyRecords: Bool {
        guard isComplete else { return true }
        let share = members.filter { $0.holdsObjects || !$0.innerArrays.isEmpty }.reduce(0) { $0 + $1.length }
        return share * 2 > length
    }

    /// Whether all members are objects of one kind: an object of records.
    var isUniform: Bool {
        let whole = members.filter(\.isComplete)
        guard members.count >= 2 || !isComplete, let first = whole.first, members.allSatisfy(\.isObject) else {
            return false
        }
        return whole.dropFirst().allSatisfy { member in
            let common = member.keys.intersection(first.keys).count
            return common * 2 >= min(member.keys.count, first.keys.count)
        }
    }
}
