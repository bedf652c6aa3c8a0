import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { width } from '#verifier/command/columns.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const TEXT = 'I owe you 100 tenge\n'
const CHANGED = 'I owe you 900 tenge\n'
const evidence = { timeStamp: true, ocsp: true }

describe('signed-registry verify', () => {
  let folder: string
  const authorities = presentAuthorities()
  const certificates = [...authorities.anchors, ...authorities.intermediates]
  const trust = certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
  const signer = authorities.person()
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-verify-'))
    put('trust.pem', trust)
    put('contract.txt', TEXT)
    put('changed.txt', CHANGED)
    put('contract.p7s', signer.signCms(Buffer.from(TEXT), evidence))
    const stamped = signer.signCms(Buffer.from(TEXT), evidence)
    const { timeStamp, ocsp } = readCms(stamped)
    put('long-term.p7s', longTermCms(stamped, { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp }))
    put('attached.p7m', signer.signCms(Buffer.from(TEXT), { ...evidence, detached: false }))
    const { document } = signer.signXml('<debt>100</debt>', evidence)
    put('invoice.xml', document)
    put('forged.xml', document.replace('100', '999'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)
  const verify = async (...words: readonly string[]) => {
    const said = { out: '', err: '' }
    const paths = words.map((word) => (word.startsWith('-') || word.includes('/') ? word : join(folder, word)))
    const code = await commandLine(['verify', ...paths, '--trust', join(folder, 'trust.pem')], {
      env: {},
      out(text) {
        said.out += text
      },
      err(text) {
        said.err += text
      },
    })
    return { code, ...said }
  }
  /** Lines that people get, none of them longer than a terminal is wide. */
  const linesOf = (out: string) => {
    const lines = out.trimEnd().split('\n')
    for (const line of lines) expect(width(line), line).to.be.at.most(80)
    return lines
  }

  it('ends algorithms by a catalogue in a file, or by that of ETSI, and says so in the report', async () => {
    const ended = { AlgorithmIdentifier: { Name: 'SHA-256', ObjectIdentifier: '2.16.840.1.101.3.4.2.1' } }
    const catalogue = { Algorithm: [{ ...ended, Evaluation: [{ Validity: { End: '2020-01-01' } }] }] }
    put('ended.json', JSON.stringify({ SecuritySuitabilityPolicy: catalogue }))
    const files = ['contract.txt', 'contract.p7s']
    const { code, out } = await verify(...files, `--algorithms=${join(folder, 'ended.json')}`, '--json')
    expect(code).to.equal(1)
    const report = JSON.parse(out)
    expect(report.rules.algorithms).to.include({ 'evaluations/2.16.840.1.101.3.4.2.1/0/until': '1577836800000' })
    expect(JSON.stringify(report)).to.contain('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
    expect((await verify(...files, '--algorithms=etsi')).code).to.equal(0)
    const wrong = await verify(...files, `--algorithms=${join(folder, 'trust.pem')}`)
    expect(wrong.code).to.equal(2)
    expect(wrong.err).to.contain('trust.pem is not a catalogue of algorithms: xml')
  })

  for (const [what, files] of [
    ['a document and its signature', ['contract.txt', 'contract.p7s']],
    ['a signature and its document', ['contract.p7s', 'contract.txt']],
    ['a signature for the long term and its document', ['long-term.p7s', 'contract.txt']],
    ['a CMS that carries its content', ['attached.p7m']],
    ['an XML document with its signature inside', ['invoice.xml']],
  ] as const) {
    it(`proves ${what}, in at most six lines`, async () => {
      const { code, out } = await verify(...files)
      const lines = linesOf(out)
      expect(lines.length).to.be.at.most(6)
      expect(lines[0]).to.equal('verdict   Proved: valid, and made no later than the time below.')
      expect(lines[1]).to.match(/^signer {4}ТЕСТОВ ТЕСТ ТЕСТОВИЧ, IIN \d{12}$/)
      expect(lines[2]).to.match(/^when {6}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00, by DEVELOPMENT TSA$/)
      expect(lines[4]).to.equal('evidence  OCSP of DEVELOPMENT OCSP RESPONDER; root DEVELOPMENT ROOT CA')
      expect(code).to.equal(0)
    })
  }

  it('takes a signature as base64 and as PEM', async () => {
    const cms = Buffer.from(signer.signCms(Buffer.from(TEXT), evidence))
    put('base64.sig', `${cms.toString('base64').replace(/.{64}/g, '$&\n')}\n`)
    put('pem.sig', pem('CMS', cms))
    expect((await verify('base64.sig', 'contract.txt')).code).to.equal(0)
    expect((await verify('contract.txt', 'pem.sig')).code).to.equal(0)
  })

  it('says WRONG of another document, and names the one that no signature is over', async () => {
    const { code, out } = await verify('contract.p7s', 'changed.txt')
    const lines = linesOf(out)
    expect(lines[0]).to.equal('verdict   WRONG: this is another document, or it was changed.')
    expect(out).to.include('to do     Ask for the file as it was when it was signed.')
    expect(out).to.match(/No readable signature is on .*changed\.txt\.\n/)
    expect(lines.at(-1)).to.equal('Wrong: at least one signature is not valid.')
    expect(code).to.equal(1)
  })

  it('says WRONG of an XML document that was changed, and of a carried content that is not the given one', async () => {
    expect((await verify('forged.xml')).out).to.match(/^verdict {3}WRONG: this is another document/)
    const { code, out } = await verify('attached.p7m', 'changed.txt')
    expect([code, out.split('\n')[0]]).to.deep.equal([
      1,
      'verdict   WRONG: this is another document, or it was changed.',
    ])
  })

  it('says what is not proved, and what to do', async () => {
    const alone = await verify('contract.p7s')
    expect(linesOf(alone.out).join()).to.include('to do     Give the signed file together with the signature.')
    expect(alone.code).to.equal(1)
    put('bare.p7s', signer.signCms(Buffer.from(TEXT)))
    const { code, out } = await verify('bare.p7s', 'contract.txt')
    expect(linesOf(out)[0]).to.equal('verdict   Not proved: nothing shows that the certificate was valid then.')
    expect(out).to.include('Missing: a time stamp.')
    expect(code).to.equal(1)
  })

  it('judges many files in any order: each signature over its own document', async () => {
    put('other.txt', 'another')
    put('other.p7s', authorities.person().signCms(Buffer.from('another'), evidence))
    const files = ['other.p7s', 'invoice.xml', 'contract.txt', 'other.txt', 'contract.p7s']
    const { code, out } = await verify(...files)
    expect(linesOf(out).at(-1)).to.equal('Proved: every signature is valid, and every document is signed.')
    expect(code).to.equal(0)
    const more = await verify(...files, 'changed.txt')
    expect([more.code, more.out.split('\n').at(-2)]).to.deep.equal([1, 'Not proved: something is missing.'])
  })

  it('takes a signed file as the document of another signature, and one file for itself beside others', async () => {
    put('invoice.p7s', authorities.person().signCms(Buffer.from(signedInvoice()), evidence))
    put('signed.xml', signedInvoice())
    expect((await verify('signed.xml', 'invoice.p7s')).code).to.equal(0)
    // The document is another signature's: the invoice is over what it carries.
    expect((await verify('invoice.xml', 'contract.txt', 'contract.p7s')).code).to.equal(0)
  })
  let invoice: string | undefined
  const signedInvoice = () => {
    invoice ??= signer.signXml('<debt>100</debt>', evidence).document
    return invoice
  }

  it('says that there is no signature, whatever looks like one', async () => {
    put('near.xml', '<a xmlns="http://www.w3.org/2000/09/xmldsig#"><!-- <Signature > --></a>')
    const { code, out } = await verify('contract.txt', 'near.xml')
    expect(linesOf(out).at(-3)).to.equal('There is no signature among these files.')
    expect(code).to.equal(1)
  })

  it('cannot be steered by names of others', async () => {
    put('\u001b[31mred\u202e.txt', TEXT)
    const { out } = await verify('\u001b[31mred\u202e.txt')
    expect(out).to.not.include('\u001b').and.not.include('\u202e')
    const long = 'и'.repeat(120)
    put(`${long}.p7s`, signer.signCms(Buffer.from(TEXT), evidence))
    const { code, out: cut } = await verify(`${long}.p7s`, 'contract.txt')
    expect(linesOf(cut).some((line) => line.includes('…'))).to.equal(true)
    expect(code).to.equal(0)
  })

  it('shows all that was looked at by --details, and prints the report by --json', async () => {
    const { out } = await verify('contract.p7s', 'contract.txt', '--details')
    const details = linesOf(out).join('\n')
    expect(details).to.include('passed signatureValue at ').and.include('serial number')
    const { out: json, code } = await verify('contract.p7s', 'changed.txt', '--json')
    const report = JSON.parse(json)
    expect(report).to.deep.include({ version: 2, outcome: 'wrong', indication: 'TOTAL-FAILED' })
    expect(report.files).to.have.length(2)
    expect(report.documents).to.have.nested.property('[0].signatures').that.is.an('array').with.length(0)
    expect(report.signatures[0].document).to.equal('differs')
    expect(code).to.equal(1)
  })

  it('demands more of evidence where it is told to, and takes no other word for it', async () => {
    const files = ['contract.p7s', 'contract.txt']
    expect((await verify(...files, '--revocation=signer', '--tsa-expiry=accept')).code).to.equal(0)
    // Nothing tells the status of the authorities.
    expect((await verify(...files, '--revocation=chain')).code).to.equal(1)
    expect((await verify(...files, '--revocation=all')).err).to.include('--revocation takes signer or chain')
    expect((await verify(...files, '--tsa-expiry=no')).code).to.equal(2)
  })

  it('writes reports of the kind that their names say, and no other', async () => {
    const reports = ['r.html', 'r.xml', 'r.json'].map((name) => join(folder, name))
    const { code } = await verify('contract.p7s', 'contract.txt', ...reports.flatMap((path) => ['--report', path]))
    expect(code).to.equal(0)
    const [html, xml, json] = reports.map((path) => readFileSync(path, 'utf8'))
    expect(html).to.match(/^<!doctype html>/)
    expect(xml).to.match(/^<vr:ValidationReport /)
    expect(JSON.parse(json ?? '')).to.include({ outcome: 'proved' })
    const other = await verify('contract.p7s', '--report', join(folder, 'r.pdf'))
    expect([other.code, existsSync(join(folder, 'r.pdf'))]).to.deep.equal([2, false])
    expect((await verify('contract.p7s', '--report', join(folder, 'no', 'r.xml'))).err).to.include('cannot be written')
  })

  it('says in words why a file cannot be read', async () => {
    put('empty.txt', '')
    for (const [name, reason] of [
      ['nowhere.txt', 'cannot be read: there is no such file'],
      [`${folder}/.`, 'cannot be read: it is a folder; name the files in it'],
      ['empty.txt', 'is empty'],
    ] as const) {
      const { code, out, err } = await verify('contract.p7s', name)
      expect([code, out]).to.deep.equal([1, ''])
      expect(err).to.include(reason)
    }
  })

  it('is used wrongly without trust anchors, and with unknown arguments', async () => {
    const said: string[] = []
    const console = { env: {}, out: () => undefined, err: (text: string) => void said.push(text) }
    expect(await commandLine(['verify', join(folder, 'contract.p7s')], console)).to.equal(2)
    expect(said.join('')).to.include('Say whom to trust')
    expect((await verify('contract.p7s', '--nothing')).code).to.equal(2)
    const none = await commandLine(['verify', join(folder, 'contract.p7s'), '--trust', join(folder, 'none')], console)
    expect([none, said.at(-1)]).to.deep.equal([1, `${folder}/none cannot be read: there is no such file\n`])
  })
})
