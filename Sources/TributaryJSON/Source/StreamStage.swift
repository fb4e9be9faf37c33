/// A stream that reads another one, on which waiting and cancelling depend.
protocol StreamStage: ByteStream {
    var upstream: any ByteStream { get }
}

extension StreamStage {
    var isReady: Bool { upstream.isReady }

    func cancel() { upstream.cancel() }
}
