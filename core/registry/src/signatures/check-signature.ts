import Type from 'typebox'
import type { Caller } from '../identity/index.js'
import { digestFrom } from '../kernel/digest-text.js'
import { type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { CheckedSignature } from './checked-signature.js'
import { JudgeSignature } from './judge-signature.js'

/** Request of `POST /api/checkSignature`. */
export const CheckSignatureRequest = Type.Object(
  {
    signature: Type.String({
      description: 'CMS: DER in base64, or PEM; XML: the signature element, or a signed document',
    }),
    digests: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 16,
        description: 'hashes of the document, where the signature does not carry it: OID of the algorithm to base64',
      }),
    ),
  },
  { $id: 'CheckSignatureRequest' },
)

/** Characters of XML: each of up to 16 signatures canonicalizes all of it, in the one thread that judges what is large. */
const LONGEST_XML = 512 * 1024

/** Judges a signature that need not be registered, and keeps nothing of it. */
export class CheckSignature {
  static readonly operation = operation({
    id: 'checkSignature',
    group: 'documents',
    summary: 'Judge a signature that is not registered; nothing is kept',
    description:
      'Anybody may ask. The verifier alone judges: configured trust, and the evidence that the signature carries. No authority is asked, so what carries no certificate status is never TOTAL-PASSED. The document is not sent: its hashes are, in digests.',
    request: CheckSignatureRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: CheckedSignature,
  })
  static readonly inject = { judging: JudgeSignature }

  constructor(private readonly use: Injected<typeof CheckSignature.inject>) {}

  async execute(
    _caller: Caller,
    { request: { signature, digests } }: Input<typeof CheckSignature.operation>,
  ): Promise<CheckedSignature> {
    if (signature.length > LONGEST_XML && signature.trimStart().startsWith('<'))
      throw requestErrors.error('bodyTooLarge', { limit: LONGEST_XML })
    return this.use.judging.judge(signature, digests && new Map(Object.entries(digests).map(readDigest)))
  }
}

function readDigest([oid, text]: [string, string]): [string, Uint8Array] {
  const digest = digestFrom(text)
  if (digest === undefined) throw requestErrors.error('invalidJsonStructure', { path: `/digests/${oid}` })
  return [oid, digest]
}
