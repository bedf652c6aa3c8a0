import { SpanKind, type SpanOptions } from '@opentelemetry/api'
import { publicAddress } from '@signed-registry/core'
import type { SignatureVerifier, StatusSource, TimestampSource } from '@signed-registry/core/signatures'
import type { Spans } from './spans.js'

/** An authority is told nothing of the trace. */
const asked = (url: string): SpanOptions => ({ kind: SpanKind.CLIENT, attributes: { 'url.full': publicAddress(url) } })

/** A source of time stamps, each request to which is a span. */
export const tracedTimestamps = (source: TimestampSource, spans: Spans): TimestampSource => ({
  get url() {
    return source.url
  },
  ...(source.digestOid !== undefined && { digestOid: source.digestOid }),
  ...(source.policy !== undefined && { policy: source.policy }),
  timestamp: (request, options) =>
    spans.during('TSP request', asked(source.url), () => source.timestamp(request, options)),
  close: () => source.close?.(),
})

/** A source of certificate statuses, each request to which is a span. */
export const tracedStatuses = (source: StatusSource, spans: Spans): StatusSource => ({
  urlFor: (certificate) => source.urlFor(certificate),
  status: (url, request, options) =>
    spans.during('OCSP request', asked(url), () => source.status(url, request, options)),
  close: () => source.close?.(),
})

/** A verifier, each judgement of which is a span. */
export const tracedVerifier = (verifier: SignatureVerifier, spans: Spans): SignatureVerifier => ({
  read: (source) => verifier.read(source),
  verify: (input) => spans.during('verify signature', {}, () => verifier.verify(input)),
  prove: (signature, beside) => spans.during('verify signature', {}, () => verifier.prove(signature, beside)),
  verifyAgain: (evidence) => spans.during('verify signature again', {}, () => verifier.verifyAgain(evidence)),
})
