import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { inFolder } from '../support/pki/openssl.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/verifier.md'), 'utf8')
const program = /```js\n(\/\/ verify\.mjs[\s\S]*?)```/.exec(page)?.[1] ?? ''
const document = Buffer.from('I owe you 100 tenge.\n')

describe('docs/verifier.md', () => {
  const authorities = testAuthorities()
  const signer = authorities.person()
  const other = Buffer.from('I owe you 999 tenge.\n')

  /** Runs the program of the page on its own, in a folder that knows core alone. */
  const run = (signed: Uint8Array, bytes = document, anchors: readonly Uint8Array[] = authorities.anchors) => {
    const trust = [...anchors, ...authorities.intermediates].map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
    const files = { 'document.bin': bytes, 'signature.p7s': signed, 'trust.pem': trust }
    return inFolder(files, (folder) => {
      // Beside the repository's packages, so that the program finds them as a dependant would.
      const file = join(root, 'dist-test', `verify-${process.pid}.mjs`)
      writeFileSync(file, program)
      const time = new Date(NOW).toISOString()
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [file, 'trust.pem', 'signature.p7s', 'document.bin', time],
        { cwd: folder, encoding: 'utf8' },
      )
      return { status, stdout, stderr }
    })
  }

  it('shows a program that verifies a CMS with trust anchors and a time, without a registry or a database', () => {
    const { status, stdout, stderr } = run(signer.signCms(document, { timeStamp: true, ocsp: true }))
    expect(stderr).to.equal('')
    expect(stdout).to.contain('signed by').and.to.contain(new Date(NOW).toISOString())
    expect(status).to.equal(0)
  })

  it('shows a program that names what is wrong', () => {
    const signed = signer.signCms(document, { timeStamp: true, ocsp: true })
    const wrong = run(signed, other)
    expect(wrong.stdout).to.contain('signatureDoesNotCorrespond')
    expect(wrong.status).to.equal(1)
    const stranger = testAuthorities({}).person({ validUntil: NOW - 1 })
    const expired = run(stranger.signCms(document, { timeStamp: true, ocsp: true }))
    expect(expired.stdout).to.contain('signerCertificateNotValidNow').and.to.contain('path')
    const untrusted = run(signed, document, [signer.certificate])
    expect(untrusted.status).to.equal(1)
  })

  it('names tests that exist for every row of the table of attacks', () => {
    const files = [...page.matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(([, file]) => file as string)
    expect(files.length).to.be.greaterThan(30)
    for (const file of new Set(files)) expect(existsSync(join(root, file)), file).to.equal(true)
  })
})
