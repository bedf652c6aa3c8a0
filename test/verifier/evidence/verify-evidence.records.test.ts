import { type EvidenceOptions, type EvidenceVerdict, verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { type RecordsOfBundle, withRecords } from '../../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { DAY, NOW, testAuthorities } from '../../support/pki/authorities.js'
import { hashRenewed, OIDS, stampRenewed, YEAR } from '../../support/pki/records.js'
import { trustOf } from '../../support/pki/trust.js'

describe('evidence records in an evidence bundle', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signers = [authorities.person({ algorithm: 'rsa2048' }), { by: authorities.person(), as: 'crl' as const }]
  /** The time-stamping authority of the signatures ends a month later. */
  const plain = bundleOf(authorities, [{ content: 'A contract', signers, stampsEnd: NOW + 30 * DAY }])
  const make = (how?: RecordsOfBundle, by = authorities) =>
    builtBytes(withRecords(plain, by, { at: NOW + DAY, ...how }))
  const later = { at: NOW + 100 * DAY }
  const judged = (bytes: Uint8Array, options: Partial<EvidenceOptions> = {}): EvidenceVerdict =>
    verifyEvidence(bytes, { trust, at: NOW + 2 * DAY, ...options })
  const said = ({ outcome, evidence, signatures }: EvidenceVerdict) => [
    outcome,
    ...evidence.problems.map(({ code, file }) => `${code} ${file}`),
    ...signatures.map(({ conclusion }) => conclusion),
  ]

  it('prove since when signatures exist, by which chains and until when', async () => {
    const verdict = judged(await make())
    expect(said(verdict)).to.deep.equal(['proved', 'validAt', 'validAt'])
    expect(verdict.evidence.records[0]).to.deep.equal({
      ...{ documentId: 'D'.repeat(16), signId: 101, signature: 'cms/101.p7s', file: 'objects/101.ers' },
      ...{ state: 'proved', existedAt: NOW + DAY, holdsUntil: NOW + DAY + 3 * YEAR },
      chains: [{ digestOid: OIDS.sha512, stamps: [NOW + DAY] }],
    })
    expect(verdict.evidence.proofsOfExistence.filter(({ kind }) => kind === 'evidenceRecord')).to.deep.equal(
      [101, 102].map((signId) => ({
        ...{ time: NOW + DAY, kind: 'evidenceRecord', over: { documentId: 'D'.repeat(16), signId } },
        ...{ holdsUntil: NOW + DAY + 3 * YEAR, chains: 1, stamps: 1 },
      })),
    )
  })

  it('are of XML signatures as they are, and of no other writing of them', async () => {
    const xml = bundleOf(authorities, [
      { content: '<a></a>', signers: [{ by: authorities.person(), as: 'xml' }], stampsEnd: NOW + 30 * DAY },
    ])
    const judgedXml = async (change: RecordsOfBundle['change'] = (object) => object) =>
      said(judged(await builtBytes(withRecords(xml, authorities, { at: NOW + DAY, change })), later))
    expect(await judgedXml()).to.deep.equal(['proved', 'validAt'])
    const other = (text: Uint8Array) => Buffer.concat([text, Buffer.from('\n')])
    expect(await judgedXml((object) => ({ ...object, signature: other(object.signature) }))).to.deep.equal([
      ...['wrong', 'recordWrong objects/101', 'intact'],
    ])
  })

  it('prove signatures beyond the end of their time-stamping authority, renewed by stamps and by hashes', async () => {
    expect(said(judged(await builtBytes(plain), later))).to.deep.equal(['unknown', 'intact', 'intact'])
    expect(said(judged(await make(), later))).to.deep.equal(['proved', 'validAt', 'validAt'])
    const bytes = await make({
      renewed: (records, objects) => {
        const stamped = stampRenewed(records, { by: authorities, at: NOW + 2 * YEAR })
        return hashRenewed(stamped, objects, { by: authorities, at: NOW + 4 * YEAR, digest: 'sha384' })
      },
    })
    const verdict = judged(bytes, { at: NOW + 6 * YEAR })
    expect(said(verdict)).to.deep.equal(['proved', 'validAt', 'validAt'])
    const [record] = verdict.evidence.records
    expect(record).to.deep.include({
      existedAt: NOW + DAY,
      chains: [
        { digestOid: OIDS.sha512, stamps: [NOW + DAY, NOW + 2 * YEAR] },
        { digestOid: OIDS.sha384, stamps: [NOW + 4 * YEAR] },
      ],
    })
  })
})
