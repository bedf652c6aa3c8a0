import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buildOcspRequest, type Certificate, readOcspResponse, type StatusSource } from '../signatures/index.js'
import { assertAddress, assertUnavailable, using } from './authority-source.js'
import type { Clause } from './clause.js'

/** The `StatusSource` to check against its contract. Each clause opens a new source, and closes it. */
export interface StatusSourceUnderTest {
  /** A source whose responder answers for `certificate`. */
  answering(): StatusSource | Promise<StatusSource>
  /** A certificate that the responder knows, and the certificate of its issuer. */
  certificate(): Certificate
  issuer(): Certificate
  /** A certificate that names a responder not allowed by the operator; leave it out if one responder answers for all. */
  foreign?(): Certificate
  /** A source whose responder takes the request and never answers. Leave it out if there is no network. */
  silent?(): StatusSource | Promise<StatusSource>
}

/** What every `StatusSource` promises. */
export function statusSourceContract(under: StatusSourceUnderTest): readonly Clause[] {
  const { answering, foreign, silent } = under
  const request = () =>
    buildOcspRequest({ certificate: under.certificate(), issuer: under.issuer(), nonce: randomBytes(16) })
  const ask = (source: StatusSource, signal: AbortSignal) =>
    source.status(source.urlFor(under.certificate()) ?? 'no responder', request(), { signal })
  return [
    {
      title: 'names the responder of a certificate by an address that anybody may read',
      check: () => using(answering, async (source) => assertAddress(source.urlFor(under.certificate()) ?? '')),
    },
    {
      title: 'sends a request to the responder, and returns its answer',
      check: () =>
        using(answering, async (source) => {
          const answer = readOcspResponse(await ask(source, new AbortController().signal))
          assert.equal(answer.status, 'successful')
        }),
    },
    {
      title: 'sends nothing after the caller has timed out',
      check: () => using(answering, (source) => assertUnavailable(ask(source, AbortSignal.abort()))),
    },
    ...(foreign === undefined
      ? []
      : [
          {
            title: 'returns no address that the operator has not allowed',
            check: () => using(answering, async (source) => assert.equal(source.urlFor(foreign()), undefined)),
          },
        ]),
    ...(silent === undefined
      ? []
      : [
          {
            title: 'gives up when the caller times out before an answer',
            check: () =>
              using(silent, async (source) => {
                const caller = new AbortController()
                const exchange = ask(source, caller.signal)
                setImmediate(() => caller.abort())
                await assertUnavailable(exchange)
              }),
          },
        ]),
  ]
}
