import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bundle, SignatureInBundle } from '@signed-registry/core'
import { longTermCms } from '@signed-registry/verifier'
import { expect } from 'chai'
import { type DevAuthorities, memoryCredentials, pem } from '#dev-authorities/index.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { contentAt, unzipped } from '../../../support/containers.js'
import { builtBytes, bundleOf } from '../../../support/evidence-bundle.js'
import { loggedBundle } from '../../../support/log/logged-bundle.js'
import { presentAuthorities, testAuthorities } from '../../../support/pki/authorities.js'
import { inFolder } from '../../../support/pki/openssl.js'
import { hasGostEngine } from '../../../verifier/algorithms/gost/gost-engine.js'

const AUTHORITIES = testAuthorities()
const caOf = ({ anchors, intermediates }: DevAuthorities): string =>
  [...anchors, ...intermediates].map((der) => pem('CERTIFICATE', der)).join('')
const CA = caOf(AUTHORITIES)

const readmeOf = async (bundle: Bundle): Promise<string> =>
  contentAt(unzipped(await builtBytes(bundle)), 'README.txt').toString()

/** Commands in order, as a shell takes them, without those of our own program. */
function commandsIn(text: string): string[] {
  const commands: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('      ')) commands[commands.length - 1] += `\n${line}`
    else if (line.startsWith('    ')) commands.push(line.trim())
  }
  return commands.filter((command) => !command.startsWith('signed-registry'))
}

/** The text of one language, and what stands behind all of them. */
function partsOf(readme: string): { kk: string; ru: string; en: string; rest: string } {
  const [, , kk = '', , ru = '', , en = '', , rest = ''] = readme.split(/={80}\n/)
  return { kk, ru, en, rest }
}

/** Unpacks a bundle and runs commands there, one after another; what each of them wrote. */
async function written(
  bundle: Bundle,
  commands: readonly string[],
  { ca = CA, original = '' } = {},
): Promise<string[]> {
  const files = unzipped(await builtBytes(bundle))
  return inFolder({ 'ca.pem': ca, ...(original && { 'original.bin': original }) }, (folder) => {
    for (const { name, content } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    return commands.map((command) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' })
      return `${status} ${stdout}${stderr}`
    })
  })
}

const SIGNED = [/^0 .*CMS Verification successful/s, /^0 .*serial=[0-9A-F]+/s]
const STAMPED = [/^0 .*Verification: OK/s, /^0 .*Time stamp: Jun {2}1 12:00:00 2026 GMT/s]
const SAME_VALUE = /^0 1\n$/
const GOOD = /^0 .*(?=.*Cert Status: good)(?=.*Response verify OK).*/s
const NOT_LISTED = /^0 .*verify OK/s

function expectEach(outputs: readonly string[], due: readonly RegExp[]): void {
  expect(outputs).to.have.length(due.length)
  for (const [index, output] of outputs.entries()) expect(output).to.match(due[index] ?? /./)
}

describe('the README of a bundle', () => {
  const rsa = AUTHORITIES.person({ algorithm: 'rsa2048' })
  const ecdsa = AUTHORITIES.person()
  const CONTENT = 'A contract of two parties'
  const extracted = (hash: string) => [/^0 $/, new RegExp(`^0 ${hash} `)]

  it('has commands that prove signatures of RSA and ECDSA without our software, as they are printed', async () => {
    const bundle = bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [rsa, { by: ecdsa, as: 'crl' }] }])
    const readme = await readmeOf(bundle)
    const { kk, ru, en, rest } = partsOf(readme)
    const sha256 = createHash('sha256').update(CONTENT).digest('hex')
    expect(en).to.include(`  ${sha256}\n`)
    expect(commandsIn(kk)).to.deep.equal(commandsIn(en))
    expect(commandsIn(ru)).to.deep.equal(commandsIn(en))
    expectEach(await written(bundle, [...commandsIn(en), ...commandsIn(rest)]), [
      ...extracted(sha256),
      ...[...SIGNED, ...STAMPED, SAME_VALUE, GOOD],
      ...[...SIGNED, ...STAMPED, SAME_VALUE, NOT_LISTED],
    ])
  })

  it('has commands that show since when a signature is in the transparency log, and what was logged of it', async () => {
    const plain = bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [rsa, { by: ecdsa, as: 'crl' }] }])
    const bundle = await loggedBundle(plain, AUTHORITIES)
    const readme = await readmeOf(bundle)
    const { kk, ru, en, rest } = partsOf(readme)
    expect([commandsIn(kk), commandsIn(ru)]).to.deep.equal([commandsIn(en), commandsIn(en)])
    expect(en).to.include('signed-registry verify FILE --trust ca.pem --policy policy.txt')
    for (const commands of [commandsIn(en), commandsIn(rest)]) {
      const [stamp, time, text = '', hash = ''] = await written(bundle, commands.slice(-4))
      expect(stamp).to.match(STAMPED[0] ?? /./)
      expect(time).to.match(STAMPED[1] ?? /./)
      expect(text).to.match(/^0 signature\ndocumentId D{16}\ndocumentStoredAt \d{4}-\S+Z\nsignId 10[12]\n/)
      expect(text).to.include(`\nsignature ${/^0 ([0-9a-f]{64}) /.exec(hash)?.[1]}\n`)
    }
    expect(readme.split('\n').filter((line) => line.length > 80)).to.deep.equal([])
  })

  it('says why there is no proof of the transparency log', async () => {
    for (const [state, said] of [
      ['pending', 'not in a checkpoint'],
      ['changed', 'not what it logged'],
      ['broken', 'could not read its transparency log'],
    ] as const) {
      const plain = bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [rsa, ecdsa] }])
      const documents = plain.documents.map((document) => ({
        ...document,
        signatures: document.signatures.map((one) => ({ ...one, log: { state } })),
      }))
      const { en, rest } = partsOf(await readmeOf({ ...plain, documents }))
      for (const part of [en, rest]) expect(part.replace(/\s+/g, ' ')).to.include(said)
    }
  })

  it('has commands that fail over another document, and with other certificates to trust', async () => {
    const bundle = bundleOf(AUTHORITIES, [{ content: CONTENT, withoutOriginal: true, signers: [rsa] }])
    const commands = commandsIn(partsOf(await readmeOf(bundle)).en)
    expectEach(await written(bundle, commands, { original: CONTENT }), [
      /^0 [0-9a-f]{64} {2}original\.bin\n$/,
      ...[...SIGNED, ...STAMPED, SAME_VALUE, GOOD],
    ])
    const [, other] = await written(bundle, commands, { original: `${CONTENT}.` })
    expect(other).to.match(/^[^0].*CMS Verification failure/s)
    const strangers = testAuthorities({}, memoryCredentials())
    const ca = caOf(strangers)
    const [, signer, , stamp, , , status] = await written(bundle, commands, { ca, original: CONTENT })
    for (const output of [signer, stamp, status]) expect(output).to.match(/^[^0]/)
  })

  it('has the commands of every document of a package, and says what OpenSSL cannot verify', async () => {
    const gost = AUTHORITIES.person({ algorithm: 'gost512' })
    const bundle = bundleOf(AUTHORITIES, [
      { content: CONTENT, documentId: 'A'.repeat(16), signers: [gost] },
      { content: CONTENT, documentId: 'B'.repeat(16), signers: [rsa] },
      { content: '<a></a>', documentId: 'C'.repeat(16), title: '-rf', signers: [{ by: ecdsa, as: 'xml' }] },
    ])
    const { en, rest } = partsOf(await readmeOf(bundle))
    expect(en).to.include('signature No. 102.')
    expect(rest)
      .to.match(/№ 101\n.*казахстанскому ГОСТ/s)
      .and.to.match(/№ 103\n.*is in XML, which OpenSSL/s)
    const hashed = (name: string) => [/^0 $/, new RegExp(`^0 [0-9a-f]{64} {2}${name}\\.bin\\n$`)]
    expectEach(await written(bundle, [...commandsIn(en), ...commandsIn(rest)]), [
      ...[...hashed('B{16}'), ...SIGNED, ...STAMPED, SAME_VALUE, GOOD],
      ...[...hashed('A{16}'), ...STAMPED, SAME_VALUE, /./],
      ...[...hashed('C{16}'), ...STAMPED, GOOD],
    ])
    const alone = bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [gost] }])
    expect(partsOf(await readmeOf(alone)).en).to.include('Signature No. 101 is by the GOST of Kazakhstan')
  })

  it("has commands for OpenSSL's module for GOST, where that knows the algorithm", async function () {
    if (!hasGostEngine) this.skip()
    const { cms, certificate } = signedByEngine(CONTENT)
    const value = readSignedData(cms).signerInfos[0]?.signature ?? expect.fail()
    const timeStamp = presentAuthorities().tsa.stamp(value)
    const bundle = bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [rsa] }])
    const signatures = bundle.documents
      .flatMap((document) => document.signatures)
      .map(
        (honest): SignatureInBundle => ({
          ...honest,
          signed: longTermCms(cms, { timeStamp, ocsp: undefined }),
          stampedAt: Date.now(),
          ...{ timeStamp, stamped: value },
        }),
      )
    const documents = bundle.documents.map((document) => ({ ...document, signatures }))
    const commands = commandsIn(partsOf(await readmeOf({ ...bundle, documents })).en)
    expect(commands[2]).to.include('-engine gost')
    const outputs = await written({ ...bundle, documents }, commands, { ca: CA + certificate })
    expect(outputs[2]).to.match(SIGNED[0] ?? /./)
    expect(outputs[4]).to.match(STAMPED[0] ?? /./)
    expect(outputs[6]).to.match(SAME_VALUE)
  })

  it('takes nothing of others into a command, and lets no text of others pass for its own', async () => {
    const hostile = 'x\'"`touch owned`$(touch owned);\n\n    touch owned\u2028\u202e|\\.txt'
    const bundle = bundleOf(AUTHORITIES, [{ content: CONTENT, title: hostile, signers: [rsa] }])
    const named = bundle.documents.map((document) => ({
      ...document,
      signatures: document.signatures.map((one) => ({ ...one, signer: hostile })),
    }))
    const readme = await readmeOf({ ...bundle, documents: named })
    const plain = await readmeOf(bundleOf(AUTHORITIES, [{ content: CONTENT, signers: [rsa] }]))
    expect(commandsIn(readme)).to.deep.equal(commandsIn(plain))
    expect(readme).not.to.match(/[\p{Cf}\p{Zl}\r\t]/u)
    expectEach(await written({ ...bundle, documents: named }, [...commandsIn(partsOf(readme).en).slice(0, 3), 'ls']), [
      ...[/^0 $/, /^0 [0-9a-f]{64}/, SIGNED[0] ?? /./],
      /^0 (?!.*owned)/s,
    ])
  })

  it('has no line of a long title that passes for one of its own', async () => {
    const lie = `SHA-256: ${'0'.repeat(60)}`
    const documents = ['A', 'B'].map((id) => ({
      ...{ content: CONTENT, documentId: id.repeat(16), signers: [rsa] },
      title: `${'x'.repeat(64)} ${lie} ${'='.repeat(75)} ${lie}`,
    }))
    const bundle = bundleOf(AUTHORITIES, documents)
    const pack = { packageId: 'P'.repeat(16), title: `${'x'.repeat(79)} ${lie}`, description: '', storedAt: 0 }
    const lines = (await readmeOf({ ...bundle, package: pack })).split('\n')
    expect(lines.filter((line) => /^ {0,2}SHA-256: 0/.test(line))).to.deep.equal([])
    expect(lines.filter((line) => line.startsWith('   | SHA-256: 0'))).not.to.deep.equal([])
  })

  it('is at most 80 columns wide, in lines that end as those of shells do', async () => {
    const title = `${'Договор о совместной деятельности '.repeat(5)}.pdf`
    const bundle = bundleOf(AUTHORITIES, [
      { content: CONTENT, title, signers: [rsa, { by: ecdsa, as: 'crl' }] },
      { content: CONTENT, documentId: 'B'.repeat(16), signers: [rsa] },
    ])
    const readme = await readmeOf(bundle)
    expect(readme.split('\n').filter((line) => line.length > 80)).to.deep.equal([])
    expect(readme.endsWith('\n') && !readme.includes('\r') && !readme.startsWith('\ufeff')).to.equal(true)
  })
})

/** A CMS by a new key of TC 26, and the certificate that the key signed itself. */
function signedByEngine(content: string): { cms: Buffer; certificate: string } {
  return inFolder({ content }, (folder) => {
    for (const command of [NEW_SIGNER, SIGN]) {
      const { status, stderr } = spawnSync('openssl', command.split(' '), { cwd: folder, encoding: 'utf8' })
      expect(status, stderr).to.equal(0)
    }
    return {
      cms: readFileSync(join(folder, 'cms')),
      certificate: readFileSync(join(folder, 'signer'), 'utf8'),
    }
  })
}

const NEW_SIGNER =
  'req -engine gost -x509 -newkey gost2012_512 -pkeyopt paramset:A -nodes -keyout key -subj /CN=S -out signer -days 9'
const SIGN =
  'cms -engine gost -sign -cades -binary -in content -signer signer -inkey key -md md_gost12_512 -outform DER -out cms'
