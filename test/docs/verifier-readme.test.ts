import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { builtBytes, bundleOf } from '../support/evidence-bundle.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { inFolder } from '../support/pki/openssl.js'
import { runProgramSync } from '../support/run-program.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'core/verifier/README.md'), 'utf8')
const [cms = '', xml = '', path = '', evidence = ''] = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, program]) => program,
)

describe('the README of the verifier', () => {
  // The programs judge by the clock of the machine.
  const authorities = testAuthorities({ clock: { now: () => Date.now() } })
  const trust = [...authorities.anchors, ...authorities.intermediates]
    .map((der) => pem('CERTIFICATE', Buffer.from(der)))
    .join('')
  const signer = authorities.person()
  const document = Buffer.from('I owe you 100 tenge.\n')

  /** Runs a program of the page in a folder with these files, beside the packages of the repository. */
  const run = (program: string, files: Record<string, string | Uint8Array>) =>
    inFolder({ 'trust.pem': trust, ...files }, (folder) => {
      const file = join(root, 'dist-test', `readme-${process.pid}.mjs`)
      writeFileSync(file, program)
      const { status, stdout, stderr } = runProgramSync(process.execPath, [file], { cwd: folder })
      expect(stderr).to.equal('')
      return { status, stdout: stdout.toString() }
    })

  it('has no example of more than ten lines beside its imports', () => {
    for (const program of [cms, xml, path, evidence]) {
      const lines = program.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'))
      expect(lines.length).to.be.within(5, 10)
    }
  })

  it('verifies a CMS, and says what is wrong with one', () => {
    const signed = signer.signCms(document, { timeStamp: true, ocsp: true })
    const good = run(cms, { 'contract.pdf': document, 'contract.p7s': signed })
    expect(good.stdout).to.match(/^TOTAL-PASSED validAt 20\S+ .*CN=ТЕСТОВ ТЕСТ/)
    expect(good.status).to.equal(0)
    const bad = run(cms, { 'contract.pdf': 'I owe you 999 tenge.\n', 'contract.p7s': signed })
    expect(bad.stdout).to.match(/^TOTAL-FAILED refused .*\nsignatureDoesNotCorrespond/)
    expect(bad.status).to.equal(1)
  })

  it('verifies an XML document, and shows what was signed', () => {
    const signed = signer.signXml('<debt>100</debt>', { timeStamp: true, ocsp: true }).document
    const good = run(xml, { 'invoice.xml': signed })
    expect(good.stdout).to.equal('TOTAL-PASSED undefined\n<debt>100</debt>\n')
    const bad = run(xml, { 'invoice.xml': signed.replace('100', '999') })
    expect(bad.stdout).to.contain('TOTAL-FAILED HASH_FAILURE')
    expect(bad.status).to.equal(1)
  })

  it('verifies an evidence bundle, and says what is wrong with one', async () => {
    const bundle = await builtBytes(bundleOf(authorities, [{ content: document, signers: [signer] }]))
    const good = run(evidence, { 'evidence.zip': bundle })
    expect(good.stdout).to.match(/^proved notTrusted \[\]\ncontract.txt inside \[.*CN=ТЕСТОВ ТЕСТ/s)
    expect(good.status).to.equal(0)
    const bad = run(evidence, { 'evidence.zip': Buffer.concat([bundle, Buffer.from('more')]) })
    expect(bad.stdout).to.equal("wrong missing [ { code: 'formChanged' } ]\n")
    expect(bad.status).to.equal(1)
  })

  it('builds the path of a certificate', () => {
    const good = run(path, { 'person.der': signer.certificate })
    expect(good.stdout.trimEnd().split('\n')).to.have.length(3)
    const stranger = testAuthorities({ clock: { now: () => Date.now() } }).person({ validUntil: Date.now() - 1 })
    expect(run(path, { 'person.der': stranger.certificate }).stdout).to.contain('signerCertificateNotValidNow')
  })
})
