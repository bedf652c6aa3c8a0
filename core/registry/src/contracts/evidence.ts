import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import {
  type OpenDocument,
  type OpenLog,
  type OpenSignature,
  UNPROVED_STATES,
} from '@signed-registry/verifier/evidence'
import type {
  Bundle,
  EvidenceBuilder,
  EvidenceParser,
  LogInBundle,
  ProofInBundle,
  SignatureInBundle,
} from '../evidence/index.js'
import { RegistryError } from '../kernel/error.js'
import type { Clause } from './clause.js'

const MIB = 1024 * 1024
/** Bytes of an original that may be read before what came before them was taken. */
const MAX_AHEAD = 4 * MIB

/** An original that is read while its bundle is written. */
export interface StreamedOriginal {
  readonly size: number
  readonly sha256: Uint8Array
  bytes(): AsyncIterable<Uint8Array>
}

/** The `EvidenceBuilder` and `EvidenceParser` to check against their contract. */
export interface EvidenceUnderTest {
  builder(): EvidenceBuilder
  parser(): EvidenceParser
  /** Input for a bundle of a document with several signatures, the same each time; over this original, or without one. */
  bundle(original: StreamedOriginal | undefined): Bundle
}

/** What every `EvidenceBuilder` promises, together with what reads its bundles. */
export function evidenceContract({ builder, parser, bundle }: EvidenceUnderTest): readonly Clause[] {
  const original = (content: Uint8Array) => {
    const sha256 = createHash('sha256').update(content).digest()
    return bundle({ size: content.length, sha256, bytes: () => inPieces(content) })
  }
  /** One whose content is not compared. */
  const ofSize = (size: number, bytes: () => AsyncIterable<Uint8Array>) =>
    bundle({ size, sha256: new Uint8Array(32), bytes })
  return [
    {
      title: 'makes the same bytes from the same input, as often as they are read',
      async check() {
        const content = randomBytes(3 * MIB + 17)
        const one = builder().build(original(content))
        const bytes = await bytesOf(one)
        assert.ok(bytes.equals(await bytesOf(one)), 'a second reading differs')
        assert.ok(bytes.equals(await bytesOf(builder().build(original(content)))), 'a second bundle differs')
      },
    },
    {
      title: 'says the size and the tag before any byte is read; other bytes have another tag',
      async check() {
        const content = randomBytes(70_000)
        const input = original(content)
        const changed = { ...input, asOf: input.asOf + 1 }
        const tags = new Set<string>()
        for (const one of [input, changed, bundle(undefined), original(Buffer.concat([content, content]))]) {
          const built = builder().build(one)
          assert.match(built.tag, /^[0-9a-f]+$/)
          assert.equal((await bytesOf(built)).length, built.size)
          tags.add(built.tag)
        }
        assert.equal(tags.size, 4)
        assert.equal(builder().build(original(content)).tag, builder().build(input).tag)
      },
    },
    {
      title: 'is read again as it was built',
      async check() {
        for (const content of [randomBytes(200_000), new Uint8Array(), undefined]) {
          const input = content === undefined ? bundle(undefined) : original(content)
          const open = await parser().parse(await bytesOf(builder().build(input)))
          assert.deepEqual(open.problems, [])
          assert.equal(open.statement.registry.statementKey, input.registry.statementKey)
          assert.equal(open.documents.length, input.documents.length)
          for (const [index, { statement, signatures, original: found }] of open.documents.entries()) {
            const due = input.documents[index]
            assert.equal(statement.documentId, due?.documentId)
            assert.deepEqual(signatures.map(read), due?.signatures.map(given))
            const kept = found === undefined ? undefined : hex(found.content.read(0, found.content.size))
            assert.equal(kept, content && hex(content))
          }
        }
      },
    },
    {
      title:
        'carries proofs of the transparency log as they are, checkpoints that several share once, and says where there are none',
      async check() {
        const unproved = UNPROVED_STATES.map((state) => ({ state }))
        for (const log of [PROVED, ...unproved]) {
          const plain = bundle(undefined)
          const documents = plain.documents.map((document) => ({
            ...document,
            log: ofDocument(log),
            signatures: document.signatures.map((one) => ({ ...one, log })),
          }))
          const open = await parser().parse(await bytesOf(builder().build({ ...plain, documents })))
          assert.deepEqual(open.problems, [])
          const checkpoints = open.statement.files.filter(({ name }) => name.startsWith('checkpoints/'))
          assert.equal(checkpoints.length, log.state === 'logged' ? 4 : 0)
          const compare = (one: OpenDocument | OpenSignature, due: LogInBundle) => {
            assert.equal(one.statement.log?.state, due.state)
            assert.deepEqual(one.log && proofRead(one.log), due.state === 'logged' ? proofGiven(due) : undefined)
          }
          for (const document of open.documents) {
            compare(document, ofDocument(log))
            for (const one of document.signatures) compare(one, log)
          }
        }
      },
    },
    {
      title: 'carries evidence records and what they are about as they are, beside signatures that have none',
      async check() {
        const plain = bundle(undefined)
        const record = { object: randomBytes(2000), record: randomBytes(5000), renewedAt: 3000 }
        const [first] = plain.documents.flatMap(({ signatures }) => signatures)
        const documents = plain.documents.map((document) => ({
          ...document,
          signatures: document.signatures.map((one) => (one === first ? { ...one, record } : one)),
        }))
        const built = builder().build({ ...plain, documents })
        assert.notEqual(built.tag, builder().build(plain).tag)
        const open = await parser().parse(await bytesOf(built))
        assert.deepEqual(open.problems, [])
        const found = open.documents.flatMap(({ signatures }) => signatures)
        for (const { statement, record: own } of found) {
          const isDue = statement.signId === first?.signId
          assert.equal(own && hex(own.object), isDue ? hex(record.object) : undefined)
          assert.equal(own && hex(own.record), isDue ? hex(record.record) : undefined)
        }
        assert.ok(found.length > 1 && first !== undefined, 'the input has several signatures')
      },
    },
    {
      title: 'reads an original no further ahead than it has to, and lets go of it when nobody reads on',
      async check() {
        let [read, isLeft] = [0, false]
        async function* bytes() {
          try {
            for (; read < 64 * MIB; read += MIB) yield Buffer.alloc(MIB)
          } finally {
            isLeft = true
          }
        }
        let written = 0
        for await (const chunk of builder()
          .build(ofSize(64 * MIB, bytes))
          .bytes()) {
          written += chunk.length
          assert.ok(read - written < MAX_AHEAD, `${read} bytes are read, ${written} written`)
          if (written > 8 * MIB) break
        }
        assert.ok(isLeft, 'the original is still open')
      },
    },
    {
      title: 'fails as the reading of its original fails, and with an original of another size',
      async check() {
        const failure = new Error('the disk is gone')
        async function* failing() {
          yield Buffer.alloc(MIB)
          throw failure
        }
        const built = builder().build(ofSize(2 * MIB, failing))
        await assert.rejects(bytesOf(built), failure)
        for (const size of [MIB - 1, MIB + 1]) {
          const other = builder().build(ofSize(size, () => inPieces(Buffer.alloc(MIB))))
          await assert.rejects(bytesOf(other))
        }
      },
    },
    {
      title: 'refuses what it cannot read with evidenceNotRead, and says why',
      async check() {
        const good = await bytesOf(builder().build(original(Buffer.from('a contract'))))
        const wrong: readonly [Uint8Array, string][] = [
          [new Uint8Array(), 'notEvidence'],
          [randomBytes(10_000), 'notEvidence'],
          [Buffer.from('%PDF-1.7\n%%EOF'), 'notEvidence'],
          [Buffer.concat([Buffer.of(0), good]), 'notEvidence'],
          [good.subarray(0, -1), 'formChanged'],
          [good.subarray(0, good.length / 2), 'formChanged'],
          [Buffer.concat([good, Buffer.of(0)]), 'formChanged'],
        ]
        for (const [bytes, reason] of wrong)
          await assert.rejects(
            async () => parser().parse(bytes),
            (error) =>
              error instanceof RegistryError && error.code === 'evidenceNotRead' && error.details?.reason === reason,
          )
      },
    },
  ]
}

const PROVED: ProofInBundle = {
  state: 'logged',
  proof: 'c2sp.org/tlog-proof@v1\nindex 1\n\na checkpoint\n',
  logKey: 'registry.example/log+00000000+AAAA',
  received: Buffer.from('as it was received'),
  checkpoint: { size: 2, note: 'a checkpoint\n', stamp: Buffer.from('its stamp'), stampedAt: 2000 },
}

/** Two logs may have checkpoints of one size. */
const ofDocument = (log: LogInBundle): LogInBundle =>
  log.state === 'logged'
    ? {
        ...log,
        checkpoint: { size: 2, note: 'one of another log\n', stamp: Buffer.from('another stamp'), stampedAt: 1000 },
      }
    : log

const proofGiven = ({ proof, received, checkpoint: { note, stamp } }: ProofInBundle) => ({
  proof,
  received: received && hex(received),
  stamped: [note, hex(stamp ?? new Uint8Array())],
})

const proofRead = ({ proof, received, checkpoint: { note, stamp } }: OpenLog) => ({
  proof: Buffer.from(proof).toString(),
  received: received && hex(received),
  stamped: [Buffer.from(note).toString(), hex(stamp ?? new Uint8Array())],
})

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MIB - 1) yield bytes.subarray(at, at + MIB - 1)
}

async function bytesOf({ bytes }: { bytes(): AsyncIterable<Uint8Array> }): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

type GivenSignature = Pick<SignatureInBundle, 'signId' | 'signed' | 'timeStamp' | 'stamped' | 'ocsp' | 'crls'>

/** A signature with its evidence, as it was given. */
const given = ({ signId, signed, timeStamp, stamped, ocsp, crls }: GivenSignature) => ({
  ...{ signId, signed: hex(signed), timeStamp: hex(timeStamp), stamped: hex(stamped) },
  ...{ ocsp: ocsp && hex(ocsp), crls: crls.map(hex) },
})

/** The same, as it was read. */
const read = ({ statement: { signId }, ...octets }: OpenSignature) => given({ signId, ...octets })
