import { expect } from 'chai'
import { filesInBrowsers } from '../../../support/as-in-browsers.js'
import { asicE, asicS, estonian } from '../../../support/asic/containers.js'
import * as inNode from '../../../support/files-verifier.js'
import { attacks } from '../../../support/pdf/attacks.js'
import {
  certified,
  signedBy,
  signedInItsField,
  signedOnce,
  signedTwice,
} from '../../../support/pdf/signed-contracts.js'
import { NOW, testAuthorities } from '../../../support/pki/authorities.js'

describe('the verifier of files in browsers', () => {
  const authorities = testAuthorities()
  const [seller, buyer] = [authorities.person(), authorities.person({ algorithm: 'gost512' })]
  const trusted = [...authorities.anchors, ...authorities.intermediates].map((bytes, at) => ({ name: `${at}`, bytes }))
  let inBrowsers: typeof inNode
  before(async () => {
    inBrowsers = await filesInBrowsers()
  })

  /** What is said of a file, in plain data. */
  async function said({ verifyFile, readTrust }: typeof inNode, file: Buffer) {
    try {
      const verdict = await verifyFile(file, { trust: readTrust(trusted), at: NOW })
      const { outcome, format, documents, problems, revisions, signatures } = verdict
      const judged = signatures.map(({ indication, document, over, checks, refusal }) => ({
        ...{ indication, document, over, checks: checks.map(({ check, outcome: found }) => `${check} ${found}`) },
        ...{ refusal: refusal?.code, details: refusal?.details },
      }))
      return { outcome, format, documents, problems, revisions, judged }
    } catch (error) {
      return { refused: Object(error).code, details: Object(error).details }
    }
  }

  async function expectSame(file: Buffer): Promise<unknown> {
    const due = await said(inNode, file)
    expect(await said(inBrowsers, file)).to.deep.equal(due)
    return Object(due).outcome ?? Object(due).refused
  }

  it('says what the verifier in Node says of honest files', async () => {
    const files = ['a.txt', 'folder/b.txt', 'Қосымша.txt'].map((name) => ({
      name,
      content: Buffer.from(name.repeat(99)),
    }))
    const [first = { name: '', content: Buffer.alloc(0) }] = files
    const sign = signedBy(seller)
    const honest = [
      signedOnce(sign),
      ...(['table', 'stream', 'hybrid'] as const).map((form) => signedTwice(sign, signedBy(buyer), form)),
      signedInItsField(sign),
      certified(sign, 2),
      asicS(seller, first),
      asicE([seller, buyer], files),
      estonian(authorities, [seller], files),
      seller.signCms(first.content, { timeStamp: true, ocsp: true, detached: false }),
      Buffer.from(seller.signXml('<a>100 ₸</a>', { timeStamp: true, ocsp: true }).document),
    ]
    for (const file of honest) expect(await expectSame(file)).to.equal('proved')
  })

  it('says what it says of PDFs that show something else than what was signed', async () => {
    const outcomes = new Set<unknown>()
    for (const { make } of attacks) outcomes.add(await expectSame(make(signedBy(seller))))
    expect([...outcomes]).to.have.members(['unknown', 'wrong', 'fileNotRead'])
  })

  it('says what it says of containers that were changed, octet by octet', async () => {
    const container = asicE([seller], [{ name: 'a.txt', content: Buffer.from('A contract, again and again') }])
    for (let at = 0; at < container.length; at += 97) {
      const changed = Buffer.from(container)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expectSame(changed)
    }
  })
})
