import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import {
  buildTimeStampRequest,
  readTimeStampResponse,
  type TimestampSource,
  type Trust,
  verifyTimeStamp,
} from '../signatures/index.js'
import { assertAddress, assertUnavailable, using } from './authority-source.js'
import type { Clause } from './clause.js'

/** The `TimestampSource` to check against its contract. Each clause opens a new source, and closes it. */
export interface TimestampSourceUnderTest {
  /** A source whose authority answers, with a certificate that `trust` leads to. */
  answering(): TimestampSource | Promise<TimestampSource>
  trust(): Trust
  /** The clock of the authority, milliseconds; this machine's by default. */
  now?(): number
  /** A source whose authority takes the request and never answers. Leave it out if there is no network. */
  silent?(): TimestampSource | Promise<TimestampSource>
  /** A source whose authority cannot be reached. Leave it out if there is no network. */
  unreachable?(): TimestampSource | Promise<TimestampSource>
}

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const AT_ONCE = 3

/** What every `TimestampSource` promises. */
export function timestampSourceContract(under: TimestampSourceUnderTest): readonly Clause[] {
  const { answering, silent, unreachable } = under
  return [
    {
      title: 'names its authority by an address that anybody may read',
      check: () => using(answering, async (source) => assertAddress(source.url)),
    },
    {
      title: 'sends a request to the authority, and returns its answer',
      check: () => using(answering, async (source) => stamp(source, under, 'document')),
    },
    {
      title: 'returns to each of several concurrent requests its own answer',
      check: () =>
        using(answering, async (source) => {
          await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => stamp(source, under, `document ${n}`)))
        }),
    },
    {
      title: 'sends nothing after the caller has timed out',
      check: () => using(answering, (source) => assertUnavailable(source.timestamp(request('late').der, over()))),
    },
    ...(silent === undefined
      ? []
      : [
          {
            title: 'gives up when the caller times out before an answer',
            check: () =>
              using(silent, async (source) => {
                const caller = new AbortController()
                const exchange = source.timestamp(request('unanswered').der, { signal: caller.signal })
                setImmediate(() => caller.abort())
                await assertUnavailable(exchange)
              }),
          },
        ]),
    ...(unreachable === undefined
      ? []
      : [
          {
            title: 'rejects when the authority cannot be reached',
            check: () => using(unreachable, (source) => assertUnavailable(source.timestamp(request('x').der, open()))),
          },
        ]),
  ]
}

const open = () => ({ signal: new AbortController().signal })
const over = () => ({ signal: AbortSignal.abort() })

function request(text: string, source?: TimestampSource) {
  const bytes = Buffer.from(text)
  const nonce = randomBytes(16)
  nonce[0] = 1
  const { digestOid = SHA_256, policy } = source ?? {}
  const der = buildTimeStampRequest({ digestOid, imprint: createHash('sha256').update(bytes).digest(), policy, nonce })
  return { bytes, der, asked: { nonce, digestOid, policy } }
}

/** Requests a time stamp, and verifies it as core does. Other digests than SHA-256 are covered by core's own tests. */
async function stamp(source: TimestampSource, under: TimestampSourceUnderTest, text: string): Promise<void> {
  const { bytes, der, asked } = request(text, source)
  const { token } = readTimeStampResponse(await source.timestamp(der, open()))
  assert.ok(token, 'the authority granted the time stamp')
  verifyTimeStamp(token, bytes, { trust: under.trust(), now: under.now?.() ?? Date.now(), request: asked })
}
