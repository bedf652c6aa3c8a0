import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Card, type CardBuilder, type CardComparer, CardError, type CardParser } from '../cards/index.js'
import type { Clause } from './clause.js'

/** The `CardBuilder`, `CardParser` and `CardComparer` to check against their contract. */
export interface CardMakerUnderTest {
  builder(): CardBuilder
  parser(): CardParser
  comparer(): CardComparer
  /** Input for a card with everything on it, and signatures of so many octets each. */
  card(original: Uint8Array, signatures: number): Card
  /** A PDF of several pages that can be shown. */
  pdf(): Uint8Array | Promise<Uint8Array>
}

const PDF = '%PDF-'
const PNG = '89504e470d0a1a0a'

/** What every `CardBuilder` promises, together with what reads and compares its cards. */
export function cardMakerContract({ builder, parser, comparer, card, pdf }: CardMakerUnderTest): readonly Clause[] {
  const isPdf = (bytes: Uint8Array) => assert.equal(Buffer.from(bytes.subarray(0, PDF.length)).toString(), PDF)
  return [
    {
      title: 'extracts the original and every signature from a card, in order',
      async check() {
        for (const [original, shows] of [
          [await pdf(), true],
          [randomBytes(10_000), false],
        ] as const) {
          const made = { ...card(original, 3), showsOriginal: shows }
          const built = await builder().build(made)
          isPdf(built)
          const files = await parser().parse(built)
          assert.deepEqual(
            files.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
            [original, ...made.signatures.map(({ cms }) => cms)].map((bytes) => Buffer.from(bytes).toString('base64')),
          )
          assert.equal(files[0]?.name, made.fileName)
        }
      },
    },
    {
      title: 'makes the same bytes from the same input',
      async check() {
        const made = card(await pdf(), 1)
        const [one, other] = [await builder().build(made), await builder().build(made)]
        assert.ok(Buffer.from(one).equals(Buffer.from(other)), 'the second card differs')
      },
    },
    {
      title:
        'knows its card again by how it says to be made, and tells it from one of another state, and from one that was changed',
      async check() {
        const made = card(await pdf(), 2)
        const built = await builder().build(made)
        const recipe = await comparer().recipe(built)
        assert.deepEqual(recipe?.languages, made.languages)
        assert.deepEqual(recipe.hashes, [...made.digests.keys()])
        assert.deepEqual(await comparer().compare(built, { ...made, ...recipe }), { compared: 'same' })
        const earlier = await comparer().compare(built, { ...made, signatures: made.signatures.slice(0, 1) })
        assert.equal(earlier.compared, 'differ')
        const appended = Buffer.concat([built, Buffer.from('\n%%EOF\n')])
        assert.equal((await comparer().compare(appended, made)).compared, 'differ')
        const other = await comparer().compare(built, { ...made, title: `${made.title} of another` })
        assert.deepEqual(other, { compared: 'notCompared', reason: 'otherSettings' })
        await assert.rejects(comparer().compare(randomBytes(1000), made), isFault)
      },
    },
    {
      title: 'makes a sample of a PDF, and refuses other files with a CardError',
      async check() {
        isPdf(await builder().sample(await pdf(), ['ru']))
        for (const original of [new Uint8Array(), randomBytes(1000), (await pdf()).subarray(0, 200)]) {
          await assert.rejects(builder().sample(original, ['ru']), isFault)
        }
      },
    },
    {
      title: 'draws a signature as PNG images',
      async check() {
        const signature = {
          documentId: 'A'.repeat(16),
          signId: 1,
          signType: 'cms',
          signature: randomBytes(3000),
        } as const
        const codes = await builder().codes({ ...signature, version: 25, level: 'M' })
        assert.ok(codes.length > 0)
        for (const code of codes) assert.equal(Buffer.from(code.subarray(0, 8)).toString('hex'), PNG)
      },
    },
    {
      title: 'refuses to read what is not a card with a CardError',
      async check() {
        for (const bytes of [new Uint8Array(), randomBytes(10_000), Buffer.from(`${PDF}1.7\n%%EOF`)]) {
          await assert.rejects(parser().parse(bytes), isFault)
        }
      },
    },
  ]
}

const isFault = (error: unknown): true => {
  assert.ok(error instanceof CardError, `rejects with CardError, not with ${String(error)}`)
  return true
}
