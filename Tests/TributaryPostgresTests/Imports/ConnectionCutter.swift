import TributaryConcurrency
import TributaryPostgres
import TributaryTestSupport

/// Cuts the connections of an import now and then, some bytes after it begins a statement.
final class ConnectionCutter: Sendable {
    private struct State {
        var lots: SeededGenerator
        /// The number of statements until the next cut.
        var rest = 0
        var commitDirection: PostgresProxy.Direction?
        var isArmed = false
        var hasEnded = false
        var cuts = 0
    }

    private let proxy: PostgresProxy
    private let state: Monitor<State>
    private static let sizes = [0, 0, 1, 30, 500, 5000]

    var port: UInt16 { proxy.port }

    init(_ server: UInt16, _ lots: SeededGenerator) throws {
        proxy = try PostgresProxy(to: server)
        state = Monitor(State(lots: lots, rest: 10))
    }

    /// Cuts at the next commits, before the server gets them or before its answer arrives.
    func cutsCommits(_ direction: PostgresProxy.Direction) {
        state.update { state in
            state.commitDirection = direction
            state.rest = 6
        }
    }

    /// Notes a statement that is about to be sent.
    func note(_ text: String) {
        let cut = state.update { state -> (PostgresProxy.Direction, Int)? in
            if state.commitDirection != nil, text != "COMMIT" { return nil }
            state.rest -= 1
            guard state.rest <= 0, !state.isArmed, !state.hasEnded else { return nil }
            state.isArmed = true
            if let direction = state.commitDirection {
                state.rest = 6
                return (direction, 0)
            }
            state.rest = 5 + state.lots.below(60)
            let direction = state.lots.pick(PostgresProxy.Direction.allCases)
            return (direction, state.lots.pick(Self.sizes))
        }
        guard let (direction, bytes) = cut else { return }
        let cuts = proxy.cutCount
        proxy.cut(direction, after: bytes)
        do {
            try WorkerThread.start { [self] in
                var isCut = false
                while !isCut, state.wait(milliseconds: 1, until: { $0.hasEnded ? () : nil }) == nil {
                    isCut = proxy.cutCount > cuts
                }
                proxy.resume()
                state.update { state in
                    state.isArmed = false
                    if isCut { state.cuts += 1 }
                }
            }
        } catch {
            proxy.resume()
        }
    }

    /// Ends all cuts.
    ///
    /// - Returns: The number of cuts.
    func end() -> Int {
        state.update { $0.hasEnded = true }
        return state.wait { $0.isArmed ? nil : $0.cuts }
    }
}
