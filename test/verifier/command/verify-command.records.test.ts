import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { width } from '#verifier/command/columns.js'
import { contentAt, unzipped } from '../../support/containers.js'
import { withRecords } from '../../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { DAY, foreignAuthorities, NOW, presentAuthorities } from '../../support/pki/authorities.js'
import { begun, hashRenewed, stampRenewed } from '../../support/pki/records.js'

const TEXT = Buffer.from('I owe you 100 tenge\n')
const OTHER = Buffer.from('I owe you 900 tenge\n')

describe('signed-registry verify of an evidence record', () => {
  let folder: string
  const by = presentAuthorities()
  const at = NOW + DAY
  const record = begun([TEXT, OTHER, Buffer.from('a third')], { by, at })
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-records-'))
    const trust = [...by.anchors, ...by.intermediates].map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
    put('trust.pem', trust)
    put('contract.txt', TEXT)
    put('third.txt', 'a third')
    put('contract.txt.ers', record[0])
    const plain = bundleOf(by, [{ content: TEXT, signers: [by.person()] }])
    const bundle = await builtBytes(withRecords(plain, by, { at }))
    put('bundle.zip', bundle)
    for (const name of ['objects/101', 'objects/101.ers']) put(name.slice(8), contentAt(unzipped(bundle), name))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array = '') => writeFileSync(join(folder, name), content)
  const verify = async (...words: readonly string[]) => {
    const said = { out: '', err: '' }
    const paths = words.map((word) => (word.startsWith('-') || word === 'accept' ? word : join(folder, word)))
    const code = await commandLine(['verify', ...paths, '--trust', join(folder, 'trust.pem')], {
      env: {},
      out(text) {
        said.out += text
      },
      err(text) {
        said.err += text
      },
    })
    if (!words.includes('--json')) for (const line of said.out.split('\n')) expect(width(line), line).to.be.at.most(80)
    return { code, ...said }
  }
  const lines = (text: string) => text.trimEnd().split('\n')

  it('says since when the file existed, by which chains and until when', async () => {
    for (const words of [
      ['contract.txt', 'contract.txt.ers'],
      ['contract.txt.ers', 'contract.txt'],
    ]) {
      const { code, out } = await verify(...words)
      expect(lines(out)[0]).to.equal('Proved: the evidence record shows that this file existed at the time below.')
      expect(out).to.include('\nexisted   at the latest at 2026-06-02T12:00:00+00:00\n')
      expect(out).to.include('\nby        SHA-512, one time stamp: 2026-06-02T12:00:00+00:00\n')
      expect(out).to.match(/\nuntil {5}2029-06-01T12:00:00\+00:00, if it is not renewed\n$/)
      expect(code).to.equal(0)
    }
  })

  it('says every chain and each of its time stamps', async () => {
    const stamped = stampRenewed(record, { by, at: at + DAY })
    const [renewed] = hashRenewed(stamped, [TEXT, OTHER, Buffer.from('a third')], {
      ...{ by, at: at + 2 * DAY, digest: 'sha384' },
    })
    put('renewed.ers', renewed)
    const { code, out } = await verify('contract.txt', 'renewed.ers')
    expect(out).to.include('\nby        SHA-512, 2 time stamps: 2026-06-02T12:00:00+00:00,\n')
    expect(out).to.include('\n          SHA-384, one time stamp: 2026-06-04T12:00:00+00:00\n')
    expect(code).to.equal(0)
  })

  it('tells a record by what is in it, and by its name where it is broken', async () => {
    put('a-record', record[0])
    expect(await verify('contract.txt', 'a-record')).to.include({ code: 0 })
    put('broken.ers', 'nothing')
    const { code, out } = await verify('contract.txt', 'broken.ers')
    expect(lines(out)[0]).to.equal('WRONG: the evidence record is broken, or about another file.')
    expect(code).to.equal(1)
  })

  it('proves nothing of another file, by an authority that nobody trusts, or after its end', async () => {
    const other = await verify('third.txt', 'contract.txt.ers')
    expect(lines(other.out)[0]).to.match(/^WRONG: /)
    expect(other.out).to.match(/\nreason {4}notCovered 0 0\n/)
    expect(other.code).to.equal(1)
    put('foreign.ers', begun([TEXT], { by: foreignAuthorities(), at })[0])
    put('ended.ers', begun([TEXT], { by, at, notAfter: at + DAY })[0])
    for (const name of ['foreign.ers', 'ended.ers']) {
      const { code, out } = await verify('contract.txt', name)
      expect(lines(out)[0], name).to.equal('Not proved: the evidence record proves nothing here.')
      expect(out)
        .to.match(/\nreason {4}/)
        .and.match(/\nto do {5}If you trust/)
      expect(code).to.equal(1)
    }
    expect(await verify('contract.txt', 'ended.ers', '--tsa-expiry', 'accept')).to.include({ code: 0 })
  })

  it('says of what a registry wrote which signature it is of', async () => {
    const { code, out } = await verify('101', '101.ers')
    expect(out).to.include('\nabout     signature 101 on document DDDDDDDDDDDDDDDD\n')
    expect(code).to.equal(0)
  })

  it('gives programs the same', async () => {
    const { code, out } = await verify('101', '101.ers', '--json')
    expect(JSON.parse(out)).to.deep.include({
      ...{ state: 'proved', existedAt: '2026-06-02T12:00:00+00:00', holdsUntil: '2029-06-01T12:00:00+00:00' },
      chains: [{ oid: '2.16.840.1.101.3.4.2.3', algorithm: 'SHA-512', stamps: ['2026-06-02T12:00:00+00:00'] }],
      about: { documentId: 'D'.repeat(16), signId: 101 },
    })
    expect(code).to.equal(0)
    const wrong = await verify('third.txt', 'contract.txt.ers', '--json')
    expect(JSON.parse(wrong.out)).to.deep.include({ state: 'wrong', reason: 'notCovered 0 0' })
    expect(wrong.code).to.equal(1)
  })

  it('takes one record and the one file that it is about, and options that mean something for them', async () => {
    for (const words of [
      ['contract.txt.ers'],
      ['contract.txt', 'third.txt', 'contract.txt.ers'],
      ['contract.txt', 'contract.txt.ers', '101.ers'],
      ['contract.txt', 'contract.txt.ers', '--key', 'trust.pem'],
      ['contract.txt', 'contract.txt.ers', '--policy', 'trust.pem'],
      ['contract.txt', 'contract.txt.ers', '--report', 'report.html'],
    ])
      expect((await verify(...words)).code, words.join(' ')).to.equal(2)
  })

  it('prints the records of a bundle', async () => {
    const { code, out } = await verify('bundle.zip')
    const part = out.split('\n\n').find((one) => one.startsWith('What evidence records prove:'))
    expect(part?.replaceAll(/\n {10}/g, ' ')).to.equal(
      [
        'What evidence records prove:',
        'record    signature 101: proved: the signature existed with all of its evidence at the time below',
        'existed   at the latest at 2026-06-02T12:00:00+00:00',
        'by        SHA-512, one time stamp: 2026-06-02T12:00:00+00:00',
        'until     2029-06-01T12:00:00+00:00, if it is not renewed',
      ].join('\n'),
    )
    expect(code).to.equal(0)
  })
})
