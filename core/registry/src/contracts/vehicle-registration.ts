import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { VehicleAnswer, VehicleDocument, VehicleRegistration } from '../vehicle-registration/index.js'
import type { Clause } from './clause.js'

/** A document as the authority got it. */
export interface ForwardedDocument
  extends Pick<VehicleDocument, 'deliveryId' | 'documentId' | 'title' | 'documentTypeCode'> {
  readonly original: Uint8Array
  readonly signatures: readonly { readonly signer: string; readonly bytes: Uint8Array }[]
}

/** The `VehicleRegistration` to check against its contract, and a test authority. */
export interface VehicleRegistrationUnderTest {
  open(): VehicleRegistration | Promise<VehicleRegistration>
  /** Sets what the authority answers; `nothing` takes the document and never answers, `endless` answers without end. */
  answers(answer: VehicleAnswer | 'nothing' | 'endless'): void
  /** What the authority got last. */
  received(): ForwardedDocument | undefined
}

/** What every `VehicleRegistration` promises. */
export function vehicleRegistrationContract({
  open,
  answers,
  received,
}: VehicleRegistrationUnderTest): readonly Clause[] {
  const forward = async (document: Partial<VehicleDocument> = {}) => (await open()).forward(aDocument(document))
  const answered = async (given: VehicleAnswer) => {
    answers(given)
    const { outcome, text } = await forward()
    assert.deepEqual({ outcome, text }, { outcome: given.outcome, text: given.text })
  }
  return [
    {
      title: 'names document types and signers in Russian and Kazakh',
      async check() {
        const { documentTypes, signers } = (await open()).catalogue
        for (const texts of [documentTypes, signers]) {
          assert.ok(Object.keys(texts).length > 0)
          for (const [code, { ru, kk }] of Object.entries(texts)) {
            assert.match(code, /^[\x21-\x7e]{1,64}$/)
            assert.ok(ru !== '' && kk !== '')
          }
        }
      },
    },
    {
      title: 'sends the original, and each signature with its role, in order',
      async check() {
        answers({ outcome: 'accepted', text: '' })
        const original = randomBytes(1_000_003)
        const title = 'Шарт "1"\r\n--x; filename=a'
        const document = aDocument({ title }, original)
        await (await open()).forward(document)
        const got = received()
        assert.ok(got !== undefined && Buffer.from(got.original).equals(original), 'the original comes as it was given')
        const { deliveryId, documentId, documentTypeCode } = document
        assert.deepEqual(
          { ...got, original: undefined, signatures: got.signatures.map(({ signer }) => signer) },
          { deliveryId, documentId, title, documentTypeCode, original: undefined, signatures: ['seller', 'buyer'] },
        )
        for (const [n, { bytes }] of got.signatures.entries()) {
          assert.ok(
            Buffer.from(bytes).equals(Buffer.from(document.signatures[n]?.bytes ?? [])),
            'a signature comes whole',
          )
        }
      },
    },
    {
      title: 'sends a repeated document under the same identifier',
      async check() {
        answers({ outcome: 'accepted', text: '' })
        const ids = []
        for (let attempt = 0; attempt < 2; attempt += 1) {
          await forward({ deliveryId: 'AAAAAAAAAAAAAAAA' })
          ids.push(received()?.deliveryId)
        }
        assert.deepEqual(ids, ['AAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAA'])
      },
    },
    {
      title: 'returns what the authority answered, verbatim',
      async check() {
        await answered({ outcome: 'accepted', text: 'taken' })
        await answered({ outcome: 'refused', text: 'Не тот тип документа' })
        await answered({ outcome: 'later', text: 'on maintenance' })
      },
    },
    {
      title: 'gives up when the caller times out before an answer',
      async check() {
        answers('nothing')
        const caller = new AbortController()
        const exchange = forward({ signal: caller.signal })
        setImmediate(() => caller.abort())
        await assert.rejects(exchange)
      },
    },
    {
      title: 'limits how much of an answer it reads',
      async check() {
        answers('endless')
        const text = await forward().then(
          (answer) => answer.text,
          () => '',
        )
        assert.ok(text.length <= 1024 * 1024, `${text.length} characters were read`)
      },
    },
    {
      title: 'rejects when the original cannot be read to its end',
      async check() {
        answers({ outcome: 'accepted', text: '' })
        async function* broken() {
          yield randomBytes(10)
          throw new Error('the store failed')
        }
        await assert.rejects(forward({ original: { size: 100_000, bytes: broken() } }))
      },
    },
  ]
}

function aDocument(document: Partial<VehicleDocument>, original: Uint8Array = randomBytes(100)): VehicleDocument {
  async function* bytes() {
    for (let at = 0; at < original.length; at += 70_001) yield original.subarray(at, at + 70_001)
  }
  return {
    deliveryId: randomBytes(8).toString('hex'),
    documentId: randomBytes(8).toString('hex'),
    title: 'Contract',
    documentTypeCode: 'vehicleSaleContract',
    original: { size: original.length, bytes: bytes() },
    signatures: ['seller', 'buyer'].map((signer, n) => ({
      signId: n + 1,
      signer,
      signType: 'cms',
      userId: 'IIN123456789011',
      businessId: n === 0 ? undefined : 'BIN123456789021',
      bytes: randomBytes(3000),
    })),
    signal: new AbortController().signal,
    ...document,
  }
}
