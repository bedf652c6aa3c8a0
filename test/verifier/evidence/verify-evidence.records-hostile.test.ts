import type { Bundle } from '@signed-registry/core'
import { type EvidenceOptions, longTermCms, verifyEvidence } from '@signed-registry/verifier'
import { type DataObject, readEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { integer, sequence } from '#dev-authorities/der/writer.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import { contentAt, type FileInside, mended, saying, unzipped, withContent, zipped } from '../../support/containers.js'
import { type RecordsOfBundle, withRecords } from '../../support/evidence/with-records.js'
import { builtBytes, bundleOf, otherRegistry } from '../../support/evidence-bundle.js'
import { loggedBundle } from '../../support/log/logged-bundle.js'
import { DAY, foreignAuthorities, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { listing } from '../../support/pki/listing.js'
import { hashRenewed, stampRenewed, YEAR } from '../../support/pki/records.js'
import { trustOf } from '../../support/pki/trust.js'

const OBJECT = 'objects/101'
const RECORD = 'objects/101.ers'

describe('a hostile evidence record in a bundle, though evidence.json was mended and is signed', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const by = otherRegistry()
  const signer = authorities.person({ algorithm: 'rsa2048' })
  const signers = [signer, { by: authorities.person(), as: 'crl' as const }, authorities.person()]
  /** The time-stamping authority of the signatures has ended when they are judged. */
  const plain = bundleOf(authorities, [{ content: 'A contract', signers, stampsEnd: NOW + 30 * DAY }])
  const at = NOW + 100 * DAY
  const make = async (how: RecordsOfBundle = {}, bundle: Bundle = plain, stamping = authorities) =>
    unzipped(await builtBytes(withRecords(bundle, stamping, { at: NOW + DAY, ...how })))
  let files: FileInside[]
  let renewed: FileInside[]

  before(async () => {
    files = await make()
    renewed = await make({
      renewed: (records, objects) => {
        const stamped = stampRenewed(records, { by: authorities, at: NOW + 10 * DAY })
        return hashRenewed(stamped, objects, { by: authorities, at: NOW + 20 * DAY, digest: 'sha384' })
      },
    })
  })

  /** Outcome, problems, what is said of the first record, and what the first signature comes to. */
  const judged = (changed: readonly FileInside[], options: Partial<EvidenceOptions> = {}) => {
    const { outcome, evidence, signatures } = verifyEvidence(zipped(changed), { trust, at, ...options })
    const [record] = evidence.records
    return [
      outcome,
      ...evidence.problems.map(({ code, file }) => `${code} ${file}`),
      ...(record === undefined || record.state === 'proved' ? [] : [record.reason]),
      ...(record?.state === 'wrong' && record.field !== undefined ? [record.field] : []),
      signatures[0]?.conclusion,
    ]
  }
  const changed = (place: string, content: Uint8Array, all = files) =>
    mended(withContent(all, place, Buffer.from(content)), by)
  const wrong = (file: string, ...reason: readonly string[]) => ['wrong', `recordWrong ${file}`, ...reason, 'intact']

  it('proves what it should as long as nobody touches it', () => {
    for (const honest of [files, renewed, mended(files, by)])
      expect(judged(honest)).to.deep.equal(['proved', 'validAt'])
  })

  describe('whose object', () => {
    it('differs in one bit', () => {
      const object = contentAt(files, OBJECT)
      const lines = object.toString('latin1').split('\n')
      let place = 0
      for (const line of lines) {
        const bytes = Buffer.from(object)
        const bit = Math.min(place + line.length - 1, object.length - 1)
        bytes.writeUInt8(bytes.readUInt8(bit) ^ 1, bit)
        const [outcome, ...more] = judged(changed(OBJECT, bytes))
        expect([outcome, more.at(-1)], line.slice(0, 20)).to.deep.equal(['wrong', 'intact'])
        expect(more.join(), line.slice(0, 20)).to.match(/recordWrong objects\/101/)
        place += line.length + 1
      }
      const [outcome, ...more] = judged(withContent(files, OBJECT, Buffer.concat([object, Buffer.from('\n')])))
      expect(outcome).to.equal('wrong')
      expect(more).to.include.members([`fileChanged ${OBJECT}`, `recordWrong ${OBJECT}`, 'intact'])
    })

    const otherThan = (object: DataObject) => Buffer.concat([object.signature, Buffer.of(0)])
    const changes: Readonly<Record<string, (object: DataObject) => Partial<DataObject>>> = {
      documentId: () => ({ documentId: 'E'.repeat(16) }),
      signId: () => ({ signId: 102 }),
      storedAt: ({ storedAt }) => ({ storedAt: storedAt - 1 }),
      signType: () => ({ signType: 'xml' }),
      digest: ({ digests }) => ({ digests: new Map([...digests, ['2.16.840.1.101.3.4.2.3', Buffer.alloc(64)]]) }),
      signature: (object) => ({ signature: otherThan(object) }),
      timeStamp: () => ({ timeStamp: plain.documents[0]?.signatures[1]?.timeStamp ?? Buffer.alloc(0) }),
      ocsp: () => ({ ocsp: undefined }),
      crl: () => ({ crls: plain.documents[0]?.signatures[1]?.crls ?? [] }),
    }
    for (const [field, change] of Object.entries(changes))
      it(`has another ${field}, and a record of its own`, async () => {
        const other = await make({
          change: (object) => (object.signId === 101 ? { ...object, ...change(object) } : object),
        })
        expect(judged(other)).to.deep.equal(wrong(OBJECT, 'otherObject', field))
      })

    it('is of another signature, with the record of that', () => {
      const swapped = changed(
        RECORD,
        contentAt(files, 'objects/102.ers'),
        changed(OBJECT, contentAt(files, 'objects/102')),
      )
      expect(judged(swapped)).to.deep.equal(wrong(OBJECT, 'otherObject', 'signId'))
    })

    it('is of another signature of the same document under the number of this one', async () => {
      const third = plain.documents[0]?.signatures[2]
      const other = await make({
        change: (object) =>
          object.signId === 101 ? { ...object, signature: third?.signed ?? Buffer.alloc(0) } : object,
      })
      expect(judged(other)).to.deep.equal(wrong(OBJECT, 'otherObject', 'signature'))
    })

    it('is not the CMS that is beside a proof of the log, though it is the same signature', async () => {
      const logged = await loggedBundle(plain, authorities)
      expect(judged(await make({}, logged))).to.deep.equal(['proved', 'validAt'])
      const own = plain.documents[0]?.signatures[0]
      if (own === undefined) expect.fail()
      const signature = withCrl(own, authorities.crl('rsa'))
      const change = (object: DataObject) => (object.signId === 101 ? { ...object, signature } : object)
      expect(judged(await make({ change }))).to.deep.equal(['proved', 'validAt'])
      expect(judged(await make({ change }, logged))).to.deep.equal(wrong(OBJECT, 'otherObject', 'signature'))
    })

    it('has an answer that cannot be read, as the bundle has', async () => {
      const junk = Buffer.from('3000', 'hex')
      const bundle = {
        ...plain,
        documents: plain.documents.map((one) => ({
          ...one,
          signatures: one.signatures.map((own) => (own.signId === 101 ? { ...own, log: undefined } : own)),
        })),
      }
      const other = await make(
        { change: (object) => (object.signId === 101 ? { ...object, ocsp: junk } : object) },
        bundle,
      )
      expect(judged(changed('ocsp/101.ors', junk, other)).slice(-3)).to.deep.equal(['otherObject', 'ocsp', 'intact'])
    })

    it('is longer than most stacks are', () => {
      const long = Buffer.from(`signed-registry/object/v1\ncrl ${'A'.repeat(20 * 2 ** 20)}\n`)
      expect(judged(changed(OBJECT, long))).to.deep.equal(wrong(OBJECT, 'object'))
      const oid = Buffer.from(`signed-registry/object/v1\ndigest ${'1.'.repeat(8 * 2 ** 20)}1 00\n`)
      expect(judged(changed(OBJECT, oid))).to.deep.equal(wrong(OBJECT, 'object'))
    })
  })

  describe('that is broken', () => {
    const chainsOf = (all: readonly FileInside[]) => readEvidenceRecord(contentAt(all, RECORD)).chains
    const record = (...chains: readonly Uint8Array[]) =>
      sequence(
        integer(1),
        sequence(...(['sha512', 'sha384'] as const).map((name) => digestAlgorithm(name))),
        sequence(...chains.map((one) => Buffer.from(one))),
      )

    it('has lost a chain or a stamp before others, or has them in another order', () => {
      const [first, second] = chainsOf(renewed)
      const [one, two] = first?.stamps ?? []
      if (first === undefined || second === undefined || one === undefined || two === undefined) expect.fail()
      const chain = (...all: readonly { readonly der: Uint8Array }[]) =>
        sequence(...all.map(({ der }) => Buffer.from(der)))
      expect(judged(changed(RECORD, record(first.der, second.der), renewed))).to.deep.equal(['proved', 'validAt'])
      const wrongs: readonly [Uint8Array, string][] = [
        [record(second.der), 'notCovered 0 0'],
        [record(second.der, first.der), 'notCovered 1 0'],
        [record(first.der, first.der), 'notCovered 1 0'],
        [record(chain(two), second.der), 'notCovered 1 0'],
        [record(chain(one), second.der), 'notCovered 1 0'],
        [record(chain(two, one), second.der), 'notCovered 1 0'],
        [record(chain(two, one)), 'notCovered 0 1'],
        [record(chain(two)), 'imprint 0 0'],
      ]
      for (const [bytes, reason] of wrongs)
        expect(judged(changed(RECORD, bytes, renewed)), reason).to.deep.equal(wrong(RECORD, reason))
    })

    it('is none, or of something else', () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from('a record'), contentAt(files, 'tst/101.tst'), record()])
        expect(judged(changed(RECORD, bytes)).slice(0, 2)).to.deep.equal(['wrong', `recordWrong ${RECORD}`])
      expect(judged(changed(RECORD, contentAt(files, 'objects/103.ers')))).to.deep.equal(
        wrong(RECORD, 'notCovered 0 0'),
      )
      const token = Buffer.from(contentAt(files, RECORD))
      token.writeUInt8(token.readUInt8(token.length - 1) ^ 1, token.length - 1)
      expect(judged(changed(RECORD, token))).to.deep.equal(wrong(RECORD, 'timeStamp signatureValue 0 0'))
    })
  })

  describe('of which a file', () => {
    const unsaid = (change: (one: Record<string, unknown>) => void) =>
      saying(files, (said) => change(said.documents[0]?.signatures[0] ?? {}), by)

    it('is missing', () => {
      for (const name of [OBJECT, RECORD]) {
        const left = files.filter((one) => one.name !== name)
        expect(judged(left)).to.deep.equal(['wrong', `otherFiles ${name}`, undefined])
        const unlisted = saying(
          left,
          (said) => Object.assign(said, { files: said.files.filter((one) => one.name !== name) }),
          by,
        )
        expect(judged(unlisted)).to.deep.equal(['wrong', `otherFiles ${name}`, undefined])
      }
    })

    it('is not named, or named twice', () => {
      expect(judged(unsaid((one) => delete one.record)).slice(0, 3)).to.deep.equal([
        ...['wrong', `otherFiles ${OBJECT}`, `otherFiles ${RECORD}`],
      ])
      for (const record of [
        { object: OBJECT },
        { record: RECORD },
        { object: OBJECT, record: OBJECT },
        { object: 'objects/102', record: RECORD },
        { object: 'cms/101.p7s', record: RECORD },
        OBJECT,
      ])
        expect(judged(unsaid((one) => Object.assign(one, { record })))).to.deep.equal([
          ...['wrong', 'statementMalformed evidence.json', undefined],
        ])
    })
  })

  describe('that proves nothing here', () => {
    const nothing = (reason: string) => [
      ...['unknown', ...[101, 102, 103].map((signId) => `recordNotProved objects/${signId}.ers`), reason, 'intact'],
    ]

    it('is by an authority that nobody trusts', async () => {
      const [outcome, ...more] = judged(await make({}, plain, foreignAuthorities()))
      expect([outcome, ...more.slice(0, 3), more.at(-1)]).to.deep.equal(nothing('').filter((one) => one !== ''))
    })

    it('was renewed too late, or not at all', async () => {
      const late = await make({
        notAfter: NOW + 5 * DAY,
        renewed: (records) => stampRenewed(records, { by: authorities, at: NOW + 10 * DAY }),
      })
      expect(judged(late)).to.deep.equal(nothing('renewedTooLate 0 0'))
      expect(judged(files, { at: NOW + 4 * YEAR })).to.deep.equal(nothing('authorityEnded 0 0'))
    })

    it('is younger than the end of the authority that it should help', async () => {
      expect(judged(await make({ at: NOW + 40 * DAY }))).to.deep.equal(['unknown', 'intact'])
    })
  })

  it('does not hide what is known of the signer, neither to the reader nor in the bundle', async () => {
    const crl = listing(authorities.hierarchy.issuing('rsa'), signer.certificate, {
      thisUpdate: NOW + 2 * DAY,
      at: NOW - DAY,
    })
    const documents = plain.documents.map((one) => ({
      ...one,
      signatures: one.signatures.map((own) => (own.signId === 101 ? { ...own, signed: withCrl(own, crl) } : own)),
    }))
    const change = (object: DataObject) =>
      object.signId === 101
        ? { ...object, signature: plain.documents[0]?.signatures[0]?.signed ?? Buffer.alloc(0) }
        : object
    const [outcome, ...more] = judged(await make({ change }, { ...plain, documents }))
    expect([outcome, more.at(-1)]).to.deep.equal(['unknown', 'intact'])
  })

  const withCrl = (
    { signed, timeStamp, crls }: Bundle['documents'][number]['signatures'][number],
    crl: Uint8Array,
  ): Uint8Array => longTermCms(signed, { timeStamp, ocsp: undefined, crls: [...crls, crl], certificates: [] })
})
