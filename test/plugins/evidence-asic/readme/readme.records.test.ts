import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { contentAt, unzipped } from '../../../support/containers.js'
import { withRecords } from '../../../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../../../support/evidence-bundle.js'
import { loggedBundle } from '../../../support/log/logged-bundle.js'
import { NOW, presentAuthorities } from '../../../support/pki/authorities.js'

describe('the README of a bundle with evidence records', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-readme-'))
    writeFileSync(join(folder, 'ca.pem'), ca)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  const by = presentAuthorities()
  const ca = [...by.anchors, ...by.intermediates].map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
  const signers = [by.person({ algorithm: 'rsa2048' }), { by: by.person(), as: 'crl' as const }]
  const plain = bundleOf(by, [{ content: 'A contract', signers }])
  const readmeIn = (bytes: Uint8Array) => contentAt(unzipped(bytes), 'README.txt').toString()

  it('has the command that judges each of them, as it is printed, in every language', async () => {
    const bytes = await builtBytes(withRecords(plain, by, { at: NOW }))
    const commands = readmeIn(bytes)
      .split('\n')
      .flatMap((line) => (/^ {4}signed-registry verify objects\//.test(line) ? [line.trim()] : []))
    const due = [101, 101, 101, 102].map(
      (signId) => `signed-registry verify objects/${signId} objects/${signId}.ers --trust ca.pem`,
    )
    expect(commands).to.deep.equal(due)
    for (const { name, content } of unzipped(bytes)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    for (const command of new Set(commands)) {
      const said = await judged(folder, command.split(' ').slice(1))
      expect(said, command).to.match(/^0 Proved: .*\nexisted {3}at the latest at 2026-06-01T12:00:00\+00:00\n/s)
    }
  })

  it('counts its steps with those of the log and without, and has none without records', async () => {
    const logged = await loggedBundle(plain, by)
    const steps = async (bundle: typeof plain) =>
      readmeIn(await builtBytes(bundle))
        .split('\n')
        .filter((line) => /^[78]\. /.test(line)).length
    expect(await steps(plain)).to.equal(0)
    expect(await steps(withRecords(plain, by, { at: NOW }))).to.equal(3)
    expect(await steps(withRecords(logged, by, { at: NOW }))).to.equal(6)
    for (const line of readmeIn(await builtBytes(withRecords(logged, by, { at: NOW }))).split('\n'))
      expect(line.length, line).to.be.at.most(80)
  })
})

/** What our program says of files in a folder: its exit code and its text. */
async function judged(folder: string, words: readonly string[]): Promise<string> {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  const paths = words.map((word) => (/^(?:objects\/|ca\.pem)/.test(word) ? join(folder, word) : word))
  return `${await commandLine(paths, { env: {}, out: write, err: write })} ${said}`
}
