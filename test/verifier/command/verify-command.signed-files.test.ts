import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { width } from '#verifier/command/columns.js'
import { ASIC_E, asicE, asicS, cadesParts, dataPart, estonian, mediaType } from '../../support/asic/containers.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { attacks } from '../../support/pdf/attacks.js'
import { contract, pageContent } from '../../support/pdf/contract.js'
import { certified, signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const PROVED = 'verdict   Proved: every signature is valid, and all of the file is signed.'
const UNKNOWN = 'verdict   Not proved: something is missing, or nobody signed it.'
const WRONG = 'verdict   WRONG: a signature is not valid, or the file is not what was signed.'

describe('signed-registry verify of signed files', () => {
  let folder: string
  const authorities = presentAuthorities()
  const [seller, buyer] = [authorities.person(), authorities.employee()]
  const sign = signedBy(seller)
  const first = { name: 'contract.txt', content: Buffer.from('I owe you 100 tenge') }
  const annex = { name: 'folder/annex 1.txt', content: Buffer.from('and 5 more') }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-files-'))
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    put('trust.pem', certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join(''))
    put('twice.pdf', signedTwice(sign, signedBy(buyer)))
    put('contract.asice', asicE([seller, buyer], [first, annex]))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  const verify = async (...words: readonly string[]) => {
    let out = ''
    const paths = words.map((word) => (word.startsWith('-') ? word : join(folder, word)))
    const code = await commandLine(['verify', ...paths, '--trust', join(folder, 'trust.pem')], {
      env: {},
      out(text) {
        out += text
      },
      err(text) {
        out += text
      },
    })
    const lines = out.trimEnd().split('\n')
    if (!words.includes('--json')) for (const line of lines) expect(width(line), line).to.be.at.most(80)
    return { code, out, lines }
  }

  it('proves a PDF that two people signed: each revision, who signed it, and what it added', async () => {
    const { code, out, lines } = await verify('twice.pdf')
    expect([code, lines[0]]).to.deep.equal([0, PROVED])
    expect(lines[1]).to.match(/^file {6}.*twice\.pdf, PDF, \d+ bytes$/)
    expect(lines.filter((line) => line.startsWith('signer'))).to.have.length(2)
    expect(lines.filter((line) => line.startsWith('document'))[0]).to.match(/revision 2 of 3, in field Seller$/)
    expect(out).to.match(/revision {2}1 of 3, to byte \d+: signed as a part of revision 2\n/)
    expect(out).to.match(/revision {2}2 of 3, to byte \d+: signed by ТЕСТОВ ТЕСТ ТЕСТОВИЧ\n/)
    expect(out).to.match(/revision {2}3 of 3, [\s\S]*\nadded {5}a field for a signature \(Buyer, page 1\)/)
    expect(out).not.to.include('problem')
  })

  it('says what was changed in a PDF after it was signed, on which page, and what to do', async () => {
    put('changed.pdf', updated(signedOnce(sign), { objects: { 4: pageContent('The buyer pays 900') } }))
    const { code, out, lines } = await verify('changed.pdf')
    expect([code, lines[0]]).to.deep.equal([1, UNKNOWN])
    expect(out).to.include('problem   Something was added after the last signature: nobody signed that.')
    expect(out).to.include('to do     Rely only on the last revision that was signed')
    expect(out).to.match(/revision {2}3 of 3, to byte \d+: nobody signed it\nCHANGED {3}what a page shows.*page 1/)
  })

  it('names a change that the certification forbids', async () => {
    put('certified.pdf', updated(certified(sign, 1), { objects: { 4: pageContent('The buyer pays 900') } }))
    const { code, out, lines } = await verify('certified.pdf')
    expect([code, lines[0]]).to.deep.equal([1, WRONG])
    expect(out).to.match(/CHANGED {3}what a page shows[\s\S]*which the\s+certification forbids/)
  })

  it('proves containers, and says of each file who signed it', async () => {
    put('one.asics', asicS(seller, first))
    put('estonian.asice', estonian(authorities, [seller], [first]))
    for (const name of ['contract.asice', 'one.asics', 'estonian.asice']) {
      const { code, out, lines } = await verify(name)
      expect([code, lines[0]], out).to.deep.equal([0, PROVED])
      expect(out).to.match(/document {2}contract\.txt.*, by META-INF/)
      expect(out).to.match(/file {6}contract\.txt: signed by ТЕСТОВ/)
    }
    expect((await verify('contract.asice')).out).to.match(/file {6}folder\/annex 1\.txt: signed by ТЕСТОВ.*, ТЕСТОВ/)
  })

  it('names the file of a container that nobody signed, and whose signer is not proved', async () => {
    put('added.asice', zipOf([mediaType(ASIC_E), ...[first, annex].map(dataPart), ...cadesParts([seller], [first])]))
    const { code, out, lines } = await verify('added.asice')
    expect([code, lines[0]]).to.deep.equal([1, UNKNOWN])
    expect(out).to.include('file      folder/annex 1.txt: nobody signed it')
    expect(out).to.include('problem   Nobody signed this file of the container.\nwhere     folder/annex 1.txt')
    const bare = zipOf([
      mediaType('application/vnd.etsi.asic-s+zip'),
      dataPart(first),
      { name: 'META-INF/signature.p7s', content: seller.signCms(annex.content) },
    ])
    put('other.asics', bare)
    const other = await verify('other.asics')
    expect([other.code, other.lines[0]]).to.deep.equal([1, WRONG])
    expect(other.out).to.match(/contract\.txt: signed by ТЕСТОВ.* \(WRONG\)/)
  })

  it('never exits with 0 of an attack on PDFs', async () => {
    for (const { name, make } of attacks) {
      put('attack.pdf', make(sign))
      expect((await verify('attack.pdf')).code, name).to.equal(1)
    }
  })

  it('says of a broken file that it cannot be judged', async () => {
    put('cut.pdf', signedOnce(sign).subarray(0, -200))
    const { code, out } = await verify('cut.pdf')
    expect(code).to.equal(1)
    expect(out.replace(/\s+/g, ' ')).to.match(/problem .*cut\.pdf is broken, or not in its form \(startxrefMissing\)\./)
  })

  it('takes a PDF or ZIP that nobody signed inside, or with a signature beside it, for a document', async () => {
    const [zip, signed] = [zipOf([dataPart(first)]), signedOnce(sign)]
    put('plain.pdf', contract())
    put('plain.zip', zip)
    expect((await verify('plain.pdf', 'plain.zip')).out).to.match(/No readable signature is on .*plain\.pdf\./)
    put('signed.pdf', signed)
    for (const [name, octets] of Object.entries({ 'plain.pdf': contract(), 'plain.zip': zip, 'signed.pdf': signed })) {
      put('beside.p7s', seller.signCms(octets, { timeStamp: true, ocsp: true }))
      const { code, lines } = await verify('beside.p7s', name)
      expect([code, lines[0]]).to.deep.equal([0, 'verdict   Proved: valid, and made no later than the time below.'])
    }
    put('other.p7s', seller.signCms(Buffer.from('another'), { timeStamp: true, ocsp: true }))
    expect((await verify('other.p7s', 'plain.pdf')).out).to.include('WRONG: this is another document')
  })

  it('judges several at once, and the worst counts', async () => {
    put('contract.txt', first.content)
    put('contract.p7s', seller.signCms(first.content, { timeStamp: true, ocsp: true }))
    const files = ['twice.pdf', 'contract.asice', 'contract.p7s', 'contract.txt']
    const { code, lines } = await verify(...files)
    expect([code, lines.at(-1)]).to.deep.equal([0, 'Proved: every signature is valid, and every document is signed.'])
    put('unsigned.pdf', contract())
    expect((await verify(...files, 'unsigned.pdf')).code).to.equal(1)
  })

  it('prints all of the verdict by --json', async () => {
    const { code, out } = await verify('twice.pdf', 'contract.asice', '--json')
    const report = JSON.parse(out)
    expect([code, report.outcome, report.signatures.length, report.documents.length]).to.deep.equal([0, 'proved', 4, 3])
    const [pdf, container] = report.signedFiles
    expect([pdf.format, pdf.outcome, pdf.problems]).to.deep.equal(['pdf', 'proved', []])
    expect(pdf.revisions[2].changes).to.deep.include({
      ...{ kind: 'signatureField', harmless: true, forbidden: false },
      ...{ name: 'Buyer', page: 1, box: [300, 72, 500, 122] },
    })
    expect(container.documents.map(({ name }: { name: string }) => name)).to.deep.equal([first.name, annex.name])
    // Places in the report lead to the signatures over each document.
    const over = report.documents.at(-1).signatures.map((place: number) => report.signatures[place].file)
    expect(over.join()).to.match(/contract\.asice\/META-INF\/signature0\.p7s,.*signature1\.p7s$/)
  })

  it('cannot be steered by names in files of others', async () => {
    const steering = { name: '\u001b[31mred\u202e.txt', content: first.content }
    put(
      'steering.asice',
      zipOf([mediaType(ASIC_E), ...[first, steering].map(dataPart), ...cadesParts([seller], [first])]),
    )
    const { out } = await verify('steering.asice')
    expect(out).to.not.include('\u001b').and.not.include('\u202e')
  })
})
