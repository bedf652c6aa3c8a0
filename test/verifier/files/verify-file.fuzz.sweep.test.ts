import { createHash } from 'node:crypto'
import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { type ByteSource, sourceOf } from '#verifier/byte-source.js'
import { type FileVerdict, verifyFile } from '#verifier/files/verify-file.js'
import { DEFAULT_CANONICALIZATION } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { mutateFile } from '../../fuzz/mutate-file.js'
import { Random } from '../../fuzz/random.js'
import { ASIC_E, ASIC_S, cadesParts, dataPart, fileList, mediaType, xadesFile } from '../../support/asic/containers.js'
import { type ZipPart, zipOf } from '../../support/asic/write-zip.js'
import { contract } from '../../support/pdf/contract.js'
import { signedPdf, withFields } from '../../support/pdf/sign-pdf.js'
import { certified, signedBy, signedInItsField, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { amount } from '../../support/sweep.js'

const RUNS = amount(1000, 20_000)
const SEED = 20_261_128
/** Reads of one file, and how many times its size and a piece more are read in all. */
const MAX_READS = 1000
const MAX_TIMES = 100

/** An honest file, and what makes changed ones of it. */
interface Seed {
  readonly file: Buffer
  make(random: Random): Buffer
}

describe('verifyFile, fed with changed files', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const trust = trustOf(authorities)
  const person = authorities.person()
  const [sign, second] = [signedBy(person), signedBy(authorities.person({ algorithm: 'p256' }))]
  const files = ['a.txt', 'folder/b.txt'].map((name) => ({ name, content: Buffer.from(`${name} `.repeat(30)) }))
  const [first = { name: '', content: Buffer.alloc(0) }] = files
  const evidence = { timeStamp: true, ocsp: true }
  const cms = person.signCms(first.content, { ...evidence, detached: false })
  const packed = (form: 'stream' | 'hybrid', before = contract({ form, packed: [5, 6] })) =>
    signedPdf(before, {
      ...{ sign, number: 10, form, room: 7000, objects: withFields(11), packed: [1, 3, 11] },
    })
  const metadata = { objects: { 6: '<</Title(Contract)/ModDate(D:2026)>>' } }

  /** A part of a container is changed before it is zipped, since a ZIP is refused for almost any change. */
  const zipped = (parts: readonly ZipPart[]): Seed => ({
    file: zipOf(parts),
    make: (random) => {
      const at = random.below(parts.length)
      const changed = (part: ZipPart) => ({ ...part, content: mutateFile(Buffer.from(part.content), random) })
      return random.chance(30)
        ? mutateFile(zipOf(parts), random)
        : zipOf(parts.map((part, index) => (index === at ? changed(part) : part)))
    },
  })
  const plain = (file: Buffer): Seed => ({ file, make: (random) => mutateFile(file, random) })
  const seeds: Readonly<Record<string, Seed>> = {
    'a PDF': plain(signedOnce(sign, { room: 7000 })),
    'a PDF with objects in streams': plain(packed('stream')),
    'a hybrid PDF': plain(packed('hybrid')),
    'a PDF with two signatures': plain(signedTwice(sign, second)),
    'a PDF with signatures in their fields': plain(signedInItsField(sign)),
    'a certified PDF': plain(certified(sign, 2)),
    'an updated PDF': plain(updated(signedOnce(sign), metadata)),
    'an update that was changed before it was written': {
      file: updated(signedOnce(sign), metadata),
      make: (random) =>
        updated(signedOnce(sign), {
          objects: {
            [random.pick([1, 2, 3, 4, 5, 6, 11])]: mutateFile(Buffer.from(withFields(11, 21)[3] ?? ''), random),
          },
        }),
    },
    'a PDF that was changed and then signed': {
      file: packed('stream'),
      make: (random) => packed('stream', mutateFile(contract({ form: 'stream', packed: [5, 6] }), random)),
    },
    'ASiC-S': zipped([
      mediaType(ASIC_S),
      dataPart(first),
      { name: 'META-INF/signature.p7s', content: person.signCms(first.content, evidence) },
    ]),
    'ASiC-E': zipped([mediaType(ASIC_E), ...files.map(dataPart), ...cadesParts([person], files)]),
    'a container from Estonia': zipped([
      mediaType(ASIC_E),
      { name: 'META-INF/manifest.xml', content: fileList(files.map(({ name }) => name)) },
      ...files.map(dataPart),
      { name: 'META-INF/signatures0.xml', content: xadesFile(authorities, [person], files) },
    ]),
    CMS: plain(cms),
    'CMS in base64': plain(Buffer.from(cms.toString('base64'))),
    XML: plain(Buffer.from(person.signXml('<debt><sum>100</sum></debt>', evidence).document)),
  }

  const verified = (file: ByteSource) => verifyFile(file, { trust, at: clock.now() })
  const sha256 = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex')

  /** What its signers signed, in one text; that of a changed file that is proved is one of the seed's. */
  function signedOf(file: Buffer, verdict: FileVerdict): string {
    const { format, signatures, documents, revisions, read } = verdict
    if (format === 'xml') return signedXml(file)
    if (format !== 'pdf')
      return read.documents.map(({ name, digests }) => `${name} ${hex(digests.get('2.16.840.1.101.3.4.2.1'))}`).join()
    expect(documents[0]?.signatures).to.have.length(signatures.length)
    const over = read.signatures.at(-1)?.over
    const [[from = 0, gap = 0] = [], [behind = 0, end = 0] = []] = over?.of === 'ranges' ? over.ranges : []
    const own = Buffer.concat([file.subarray(0, gap), file.subarray(behind, end)])
    return `${from} ${sha256(own)} ${revisions.at(-1)?.end === end ? file.toString('latin1', end).trim() : 'metadata'}`
  }

  const hex = (octets: Uint8Array | undefined) => Buffer.from(octets ?? []).toString('hex')
  const signedXml = (file: Buffer) =>
    canonicalize(
      parseXml(file.toString().replace(/<ds:Signature[\s>][\s\S]*<\/ds:Signature>/, '')).root,
      DEFAULT_CANONICALIZATION,
    ).toString()

  function counted(file: Buffer) {
    const source = sourceOf(file)
    const count = { reads: 0, octets: 0 }
    const read = (from: number, to: number) => {
      count.reads += 1
      count.octets += to - from
      return source.read(from, to)
    }
    return { count, source: { size: file.length, read } }
  }

  /** What is signed after it was changed may be proved, and what leaves it as it was may be added. */
  const isSignedAnew = (name: string) => name.startsWith('a PDF that was') || name.startsWith('an update that')
  const names = Object.keys(seeds)
  for (const [index, name] of names.entries())
    it(`comes to a verdict or an error of ours within its bounds, and proves nothing else: ${name}`, async () => {
      const { file: seed, make } = seeds[name] ?? plain(Buffer.alloc(0))
      const honest = await verified(sourceOf(seed))
      expect([honest.outcome, honest.problems]).to.deep.equal(['proved', []])
      const proper = new Set([signedOf(seed, honest)])
      // Without the second signature what the first was over is proved as well.
      const { revisions } = honest
      for (const { end, signatures } of revisions)
        if (signatures.length > 0) {
          const shorter = seed.subarray(0, end)
          proper.add(signedOf(shorter, await verified(sourceOf(shorter))))
        }
      const random = new Random(SEED + index)
      const found = { proved: 0, unknown: 0, wrong: 0, refused: 0 }
      const most = { reads: 0, times: 0 }
      for (let run = 0; run < RUNS / names.length; run += 1) {
        const file = make(random)
        const { count, source } = counted(file)
        const told = () => `seed ${SEED + index}, run ${run}\n${file.toString('base64')}`
        const verdict = await verified(source).catch((error: unknown) => {
          if (!(error instanceof RegistryError)) throw new Error(told(), { cause: error })
          return undefined
        })
        found[verdict?.outcome ?? 'refused'] += 1
        if (verdict?.outcome === 'proved' && !isSignedAnew(name) && !proper.has(signedOf(file, verdict)))
          expect.fail(`proved, of something else: ${told()}`)
        most.reads = Math.max(most.reads, count.reads)
        most.times = Math.max(most.times, count.octets / (file.length + 1024))
      }
      console.log(`      ${name}: ${JSON.stringify({ seed: SEED + index, ...found, ...most })}`)
      expect(most.reads).to.be.below(MAX_READS)
      expect(most.times).to.be.below(MAX_TIMES)
    })
})
