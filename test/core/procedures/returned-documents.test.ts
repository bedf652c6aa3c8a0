import type { RegistryError } from '@signed-registry/core'

import { expect } from 'chai'
import { readReturned } from '#core/procedures/returned-documents.js'

const IDS = ['AAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBB']
const MEBIBYTE = 2 ** 20
const LIMIT = 64 * MEBIBYTE
const file = (data: unknown) => ({ document: { file: { mime: '', data } } })
const good = {
  signMethod: 'CMS_SIGN_ONLY',
  version: 1,
  documentsToSign: IDS.map((id, at) => ({ id, ...file(`signature ${at}`) })),
}
type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>
const read = (stream: Bytes, limit = LIMIT) => readReturned({ stream }, IDS, limit)
const text = (value: unknown): Bytes => [Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))]
const reasonOf = (stream: Bytes, limit?: number) =>
  read(stream, limit).then(
    () => 'nothing',
    ({ code, details }: RegistryError) => `${code} ${Object(details).reason}`,
  )
/** Originals that come back, with something at the end, cut into small pieces there. */
function* originals(end: string) {
  yield Buffer.from('{"documentsToSign":[{"id":"AAAAAAAAAAAAAAAA","document":{"file":{"data":"')
  for (let n = 0; n < 17; n++) yield Buffer.alloc(MEBIBYTE, 'A')
  for (const letter of end) yield Buffer.from(letter)
}

describe('what the app returns', () => {
  it('are signatures of the given documents, in order', async () => {
    const signed = { canceled: false, signatures: ['signature 0', 'signature 1'] }
    expect(await read(text(good))).to.deep.equal(signed)
    // As services and apps of others have them.
    const numbered = good.documentsToSign.map((one, at) => ({ ...one, id: at + 1, meta: [], nameRu: 'а' }))
    expect(
      await readReturned({ stream: text({ ...good, documentsToSign: numbered }) }, ['1', '2'], LIMIT),
    ).to.deep.equal(signed)
    const mixed = good.documentsToSign.map((one) => ({ ...one, signMethod: 'CMS_SIGN_ONLY' }))
    expect(await read(text({ signMethod: 'MIX_SIGN', documentsToSign: mixed }))).to.deep.equal(signed)
  })

  it('may be originals after a refusal, however large', async () => {
    const canceled = { canceled: true }
    expect(await read(text({ ...good, status: 'CANCELED' }))).to.deep.equal(canceled)
    expect(await read(originals('"}}}], "status" : "CANCELED"}'))).to.deep.equal(canceled)
  })

  const [first, second] = good.documentsToSign
  const refusals: readonly [string, () => Bytes, string][] = [
    ['that is no JSON', () => text('{"documentsToSign":['), 'malformed'],
    ['that is another value', () => text('null'), 'malformed'],
    [
      'with an identifier that is none',
      () => text({ ...good, documentsToSign: [{ ...first, id: {} }, second] }),
      'malformed',
    ],
    [
      'with data that are no text',
      () => text({ ...good, documentsToSign: [{ ...first, ...file(1) }, second] }),
      'malformed',
    ],
    ['of more documents', () => text({ ...good, documentsToSign: [first, second, second] }), 'count'],
    ['of fewer documents', () => text({ ...good, documentsToSign: [first] }), 'count'],
    ['of other documents', () => text({ ...good, documentsToSign: [first, { ...second, id: 'C' }] }), 'otherDocuments'],
    ['in another order', () => text({ ...good, documentsToSign: [second, first] }), 'otherDocuments'],
    ['by another method', () => text({ ...good, signMethod: 'CMS_WITH_DATA' }), 'signMethod'],
    ['by a method that nobody knows', () => text({ ...good, signMethod: 'RSA' }), 'signMethod'],
    ['without a method', () => text({ ...good, signMethod: undefined }), 'signMethod'],
    [
      'of mixed methods with a hole',
      () => text({ signMethod: 'MIX_SIGN', documentsToSign: [{ ...first, signMethod: 'CMS_SIGN_ONLY' }, second] }),
      'signMethod',
    ],
    ['without a signature', () => text({ ...good, documentsToSign: [first, { id: second?.id }] }), 'noSignature'],
    [
      'with an empty signature',
      () => text({ ...good, documentsToSign: [first, { ...second, ...file('') }] }),
      'noSignature',
    ],
    ['that is larger than signatures are', () => originals('"}}}]}'), 'tooLarge'],
    // A word in a title is not the app's.
    ['that only quotes a refusal', () => originals('"}},"nameRu":"\\"status\\":\\"CANCELED\\""}]}'), 'tooLarge'],
  ]
  for (const [what, bytes, reason] of refusals) {
    it(`is nothing else, such as a body ${what}`, async () => {
      expect(await reasonOf(bytes())).to.equal(`appExchangeFailed ${reason}`)
    })
  }

  it('is not read beyond the limit', async () => {
    let taken = 0
    async function* endless() {
      for (;;) {
        taken += MEBIBYTE
        yield Buffer.alloc(MEBIBYTE, ' ')
      }
    }
    expect(await reasonOf(endless(), 4 * MEBIBYTE)).to.equal('appExchangeFailed tooLarge')
    expect(taken).to.equal(5 * MEBIBYTE)
  })
})
