import TributaryStore
import TributaryJSON

/// Profiles records, for one thread.
///
/// It walks over the tape of each record. A path of the dump has a node; the values at it go to counters and to sketches
/// whose result does not depend on their order.
package final class ProfileCollector {
    // One thread adds records, and no access to a field overlaps another: the check for each value would cost time.

    @exclusivity(unchecked) let root = PathNode(.records, in: nil)
    let options: ProfileOptions
    let resolution = Resolution()
    let keyStore: KeyStreamStore
    @exclusivity(unchecked) private var further = FurtherPaths()
    @exclusivity(unchecked) private var furtherTable = HashTable()
    @exclusivity(unchecked) private var nodeCount = 1
    /// The most steps of a path.
    @exclusivity(unchecked) private var depth = PathLimits.depth
    /// Whether paths are further inside than `depth`.
    @exclusivity(unchecked) private var isCutPending = false

    /// Whether only the kinds of values are counted.
    private let isLight: Bool
    private let scratch = DecodedText()
    /// The nodes of the records at each of several paths.
    private let places: [PathNode]

    // The record that is walked over.

    @exclusivity(unchecked) private var source = 0
    @exclusivity(unchecked) private var number = 0
    @exclusivity(unchecked) private var seed: UInt64 = 0
    @exclusivity(unchecked) private var start = 0

    init(_ options: ProfileOptions) {
        self.options = options
        isLight = !options.profilesValues
        keyStore = KeyStreamStore(folder: options.folder, byteLimit: options.keyBytes)
        let root = root
        places = options.places.map { steps in
            steps.reduce(root) { node, step in node.children.first { $0.step == step } ?? node.add(step) }
        }
    }

    /// A collector of the kinds of values only: `counts` tells whether a path is counted, and whether the objects there are
    /// examined inside.
    package convenience init(
        kindsWhere counts: @escaping @Sendable ([PathProfile.Step]) -> (path: Bool, inside: Bool)
    ) {
        var options = ProfileOptions()
        (options.profilesValues, options.counts) = (false, counts)
        self.init(options)
    }

    /// What several collectors of kinds have counted.
    package static func kinds(_ collectors: [ProfileCollector]) -> PathProfile {
        let resolution = Resolution(findsDictionaries: false)
        var all = PathProfile(.records)
        for collector in collectors { all.merge(collector.root.profile(resolution), resolution) }
        return all
    }

    /// Whether there are more paths than are counted.
    package var isFull: Bool { further.values > 0 }

    /// The nodes of records.
    private var recordNodes: [PathNode] { places.isEmpty ? [root] : places }

    /// The number of records.
    var recordCount: Int { recordNodes.reduce(0) { $0 + $1.total } }

    /// Adds records of a chunk.
    package func add(_ chunk: RecordChunk, _ range: Range<Int>) {
        source = chunk.source
        chunk.withTokens { tokens in
            for position in range {
                number = tokens.number(of: position)
                seed = ValueHash.mix(UInt64(truncatingIfNeeded: source) << 40 ^ UInt64(truncatingIfNeeded: number))
                start = tokens.start(of: position)
                let node = places.isEmpty ? root : places[tokens.route(of: position)]
                add(start, to: node, position, tokens)
                if isCutPending { cutPaths() }
            }
        }
    }

    /// Chooses at most `most` members of the records that may be keys besides those with usual names, and keeps their
    /// values; returns the paths.
    func chooseKeys(_ most: Int) -> [[PathProfile.Step]] { recordNodes.flatMap { chooseKeys(of: $0, most) } }

    private func chooseKeys(of node: PathNode, _ most: Int) -> [[PathProfile.Step]] {
        let objects = node.kinds[ValueKind.object.rawValue].count
        guard node.keys == nil, objects > 1 else { return [] }
        let known = node.children.count { $0.stream != nil }
        var chosen: [[PathProfile.Step]] = []
        for child in node.children where child.stream == nil && chosen.count + known < most {
            let (texts, integers) = (child.kinds[ValueKind.text.rawValue], child.kinds[ValueKind.integer.rawValue])
            guard case .member = child.step, texts.count + integers.count == objects, child.total == objects,
                child.values?.different.count == objects
            else { continue }
            child.keepKeys(keyStore)
            chosen.append(child.path)
        }
        return chosen
    }

    // MARK: Values

    private func place(_ word: TapeToken, _ tokens: ChunkTokens) -> ValuePlace {
        let position = tokens.place(of: word.kind == .text || word.kind == .escapedText ? word.offset - 1 : word.offset)
        return ValuePlace(source: source, record: number, line: position.line, byte: position.byte)
    }

    /// Adds the value at a word to what is known of its path.
    @inline(__always)
    private func add(_ word: Int, to node: PathNode, _ position: Int, _ tokens: ChunkTokens) {
        let token = tokens.token(word)
        switch token.kind {
        case .text:
            node.count(.text) { place(token, tokens) }
            let bytes = UnsafeBufferPointer(start: tokens.arena + token.offset, count: token.length)
            addText(bytes, word, to: node)
        case .number:
            let bytes = UnsafeBufferPointer(start: tokens.arena + token.offset, count: token.length)
            addNumber(bytes, token, word, to: node, tokens)
        case .null: node.count(.null) { place(token, tokens) }
        case .no: node.count(.no) { place(token, tokens) }
        case .yes: node.count(.yes) { place(token, tokens) }
        case .object: addObject(word, to: node, position, tokens)
        case .array: addArray(word, to: node, position, tokens)
        case .escapedText:
            node.count(.text) { place(token, tokens) }
            let bytes = UnsafeBufferPointer(start: tokens.arena + token.offset, count: token.length)
            addText(scratch.decode(bytes), word, to: node)
        case .key, .escapedKey, .end: break
        }
    }

    @inline(__always)
    private func addText(_ bytes: UnsafeBufferPointer<UInt8>, _ word: Int, to node: PathNode) {
        guard let start = bytes.baseAddress else { return }
        if isLight { return }
        let hash = ValueHash.text(start, bytes.count)
        if let stream = node.stream { stream.add(hash) }
        node.collector.add(text: bytes, hash, priority(word), resolution)
        if resolution.isExceeded { cutValues() }
    }

    @inline(__always)
    private func addNumber(
        _ bytes: UnsafeBufferPointer<UInt8>, _ token: TapeToken, _ word: Int, to node: PathNode, _ tokens: ChunkTokens
    ) {
        let number = NumberScan(bytes)
        node.count(number.isWhole ? .integer : .real) { place(token, tokens) }
        node.forms.formUnion(number.form)
        if isLight { return }
        if let stream = node.stream { stream.add(number.hash) }
        node.collector.add(number: number, bytes, priority(word), resolution)
        if number.form.rawValue & ~NumberForms.usual != 0 { addAnomaly(number.form, node, place(token, tokens)) }
        if resolution.isExceeded { cutValues() }
    }

    private func addAnomaly(_ form: NumberForms, _ node: PathNode, _ place: ValuePlace) {
        if !form.isDisjoint(with: [.largeInteger, .hugeInteger, .endlessInteger]) { node.count(.beyondDouble, place) }
        if !form.isDisjoint(with: [.hugeInteger, .endlessInteger]) { node.count(.beyondInt64, place) }
        if !form.isDisjoint(with: .beyondDouble) { node.count(.inexact, place) }
    }

    /// A number for the place of a value, by which values are chosen for the sample.
    @inline(__always)
    private func priority(_ word: Int) -> UInt64 {
        ValueHash.mix(seed &+ UInt64(truncatingIfNeeded: word - start))
    }

    /// Keeps fewer values at each path.
    private func cutValues() {
        while resolution.isExceeded {
            resolution.halve()
            countValues()
        }
    }

    /// Counts the values that all paths keep, after some have been removed.
    private func countValues() {
        resolution.kept = 0
        root.cut(resolution)
    }

    // MARK: Containers

    private func addArray(_ word: Int, to node: PathNode, _ position: Int, _ tokens: ChunkTokens) {
        node.count(.array) { place(tokens.token(word), tokens) }
        if isLight { return }
        let last = word + tokens.token(word).span - 1
        var next = word + 1
        var count = 0
        if next < last, let elements = node.elements ?? addPath(.elements, to: node) {
            while next < last {
                elements._withUnsafeGuaranteedRef { add(next, to: $0, position, tokens) }
                next += tokens.token(next).span
                count += 1
            }
        } else {
            while next < last {
                addFurther(next, PathHash.hash(of: ValueHash.ofNoName, in: node.hash), tokens)
                next += tokens.token(next).span
                count += 1
            }
        }
        node.add(size: count, limit: resolution.ranges)
    }

    private func addObject(_ word: Int, to node: PathNode, _ position: Int, _ tokens: ChunkTokens) {
        node.count(.object) { place(tokens.token(word), tokens) }
        if tokens.token(word + 1).isEnd { node.emptyCount += 1 }
        if node.isClosed { return }
        if !isLight, tokens.hasDuplicateKeys(position) { return addLastMembers(word, to: node, position, tokens) }
        var next = word + 1
        // The member that is likely to come next, and the one whose successor it is.
        var likely = node.firstMember
        var previous: Unmanaged<PathNode>?
        while !tokens.token(next).isEnd {
            let key = tokens.token(next)
            let value = next + 1
            let isLikely = likely.map { likely in
                likely._withUnsafeGuaranteedRef {
                    key.isPlainKey && $0.isNamed(tokens.arena + key.offset, key.length)
                }
            }
            if isLikely != true || node.keys != nil {
                likely = member(next, of: node, tokens)
                if let likely, node.keys == nil {
                    if let previous {
                        previous._withUnsafeGuaranteedRef { $0.nextMember = likely }
                    } else {
                        node.firstMember = likely
                    }
                }
            }
            if tokens.token(value).isObject, let member = likely, hasFirstObject(member, of: node) {
                collapse(node)
                likely = self.member(next, of: node, tokens)
            }
            if let member = likely {
                member._withUnsafeGuaranteedRef { add(value, to: $0, position, tokens) }
                if node.keys == nil {
                    previous = member
                    likely = member._withUnsafeGuaranteedRef { $0.nextMember }
                } else {
                    (previous, likely) = (nil, nil)
                }
            } else {
                addFurther(value, furtherHash(next, of: node, tokens), tokens)
            }
            next = value + tokens.token(value).span
        }
    }

    /// Adds an object that has a key twice: its last value counts.
    private func addLastMembers(_ word: Int, to node: PathNode, _ position: Int, _ tokens: ChunkTokens) {
        var order: [[UInt8]] = []
        var last: [[UInt8]: Int] = [:]
        var isRepeated = false
        var next = word + 1
        while !tokens.token(next).isEnd {
            let key = tokens.decoded(next)
            if last.updateValue(next, forKey: key) == nil { order.append(key) } else { isRepeated = true }
            next += 1 + tokens.token(next + 1).span
        }
        if isRepeated { node.count(.duplicateKey, place(tokens.token(word), tokens)) }
        for key in order.compactMap({ last[$0] }) {
            var member = self.member(key, of: node, tokens)
            if tokens.token(key + 1).isObject, let found = member, hasFirstObject(found, of: node) {
                collapse(node)
                member = self.member(key, of: node, tokens)
            }
            if let member {
                member._withUnsafeGuaranteedRef { add(key + 1, to: $0, position, tokens) }
            } else {
                addFurther(key + 1, furtherHash(key, of: node, tokens), tokens)
            }
        }
    }

    // MARK: Paths

    /// The node of the member whose key is at a word; nil if it is not profiled.
    private func member(_ word: Int, of node: PathNode, _ tokens: ChunkTokens) -> Unmanaged<PathNode>? {
        let key = tokens.token(word)
        if key.isPlainKey { return member(tokens.arena + key.offset, key.length, of: node) }
        let decoded = tokens.decoded(word) + [0, 0, 0, 0, 0, 0, 0, 0]
        return decoded.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { member($0, bytes.count - 8, of: node) }
        }
    }

    private func member(_ name: UnsafePointer<UInt8>, _ count: Int, of node: PathNode) -> Unmanaged<PathNode>? {
        let hash = ValueHash.text(name, count)
        func text() -> String { String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self) }
        if let keys = node.keys {
            keys.add(hash, resolution, text)
            return node.dictionaryValues ?? addPath(.values, to: node)
        }
        if let known = node.member(name, count, hash) { return known }
        guard count <= PathLimits.nameBytes || isLight else { return nil }
        guard let added = addPath(.member(text()), to: node) else { return nil }
        // The name was one too many, and is a key now.
        return node.keys == nil ? added : member(name, count, of: node)
    }

    /// Adds a path; nil if it is too far inside.
    private func addPath(_ step: PathProfile.Step, to node: PathNode) -> Unmanaged<PathNode>? {
        if isLight { return addCounted(step, to: node) }
        guard node.depth < depth else { return nil }
        nodeCount += 1
        let child = node.add(step)
        if case .member(let name) = step {
            if ProfileOptions.idNames.contains(name) || options.keys.contains(child.path) {
                child.stream = KeyStream(keyStore)
            }
        }
        if node.memberCount > PathLimits.members { collapse(node) }
        if nodeCount > PathLimits.paths { limitDepth() }
        return Unmanaged.passUnretained(child)
    }

    /// Adds a path whose kinds are counted; nil if it is not, or if there are too many.
    private func addCounted(_ step: PathProfile.Step, to node: PathNode) -> Unmanaged<PathNode>? {
        let counts = options.counts(node.path + [step])
        guard counts.path else { return nil }
        guard nodeCount < PathLimits.paths else {
            further.values += 1
            return nil
        }
        nodeCount += 1
        let child = node.add(step)
        child.isClosed = !counts.inside
        return Unmanaged.passUnretained(child)
    }

    /// Whether an object would be the first one of a member, and there would be too many members with objects.
    @inline(__always)
    private func hasFirstObject(_ member: Unmanaged<PathNode>, of node: PathNode) -> Bool {
        guard node.children.count > PathLimits.objects, node !== root, node.keys == nil, !isLight else { return false }
        let isFirst = member._withUnsafeGuaranteedRef { $0.kinds[ValueKind.object.rawValue].count == 0 }
        return isFirst && node.objectMemberCount >= PathLimits.objects
    }

    /// Makes the members of the objects at a path those of a dictionary.
    ///
    /// The walk is inside of this path, and not further inside, so that no path is removed while values are added to it.
    private func collapse(_ node: PathNode) {
        node.collapse(resolution)
        nodeCount = root.pathCount
        countValues()
    }

    /// Adds no more paths that are as far inside as those that are too many, which are removed after the record.
    private func limitDepth() {
        var counts: [Int] = []
        root.countPaths(&counts)
        (nodeCount, depth) = PathLimits.kept(counts)
        isCutPending = true
    }

    private func cutPaths() {
        isCutPending = false
        root.cut(depth: depth) { path, count in
            further.values += count
            if !furtherTable.ignores(path) { _ = furtherTable.add(path, limit: Resolution.most) }
        }
        countValues()
    }

    /// The paths that are not profiled.
    var furtherPaths: FurtherPaths {
        var further = further
        further.paths = furtherTable.values(limit: Resolution.most)
        further.depth = depth
        return further
    }

    private func furtherHash(_ key: Int, of node: PathNode, _ tokens: ChunkTokens) -> UInt64 {
        PathHash.hash(of: ValueHash.text(tokens.decoded(key)), in: node.hash)
    }

    /// Counts a value whose path is not profiled, and those inside of it.
    private func addFurther(_ word: Int, _ hash: @autoclosure () -> UInt64, _ tokens: ChunkTokens) {
        if isLight { return }
        let path = hash()
        further.values += 1
        if !furtherTable.ignores(path) { _ = furtherTable.add(path, limit: Resolution.most) }
        let token = tokens.token(word)
        guard token.isContainer else { return }
        let isObject = token.isObject
        var next = word + 1
        while !tokens.token(next).isEnd {
            let inner =
                isObject
                ? PathHash.hash(of: ValueHash.text(tokens.decoded(next)), in: path)
                : PathHash.hash(of: ValueHash.ofNoName, in: path)
            if isObject { next += 1 }
            addFurther(next, inner, tokens)
            next += tokens.token(next).span
        }
    }
}
