import type { SignatureVerifier } from '@signed-registry/core/signatures'
import type { Spans } from './spans.js'

/** A verifier, each judgement of which is a span. */
export const tracedVerifier = (verifier: SignatureVerifier, spans: Spans): SignatureVerifier => ({
  read: (source) => verifier.read(source),
  verify: (input) => spans.during('verify signature', {}, () => verifier.verify(input)),
  prove: (signature, beside) => spans.during('verify signature', {}, () => verifier.prove(signature, beside)),
  verifyAgain: (evidence) => spans.during('verify signature again', {}, () => verifier.verifyAgain(evidence)),
})
