import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { requireJava } from '../differential/java.js'
import { bundleHost } from '../support/bundle.js'
import { startHostProcess } from '../support/host-process.js'
import { onPath } from '../support/programs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/evidence.md')
const run = promisify(execFile)

/** Programs of the page in this language, in order. */
const programs = (language: string): string[] =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, text = '']) => (of === language ? [text] : []))

describe('docs/evidence.md has commands', () => {
  const [java = ''] = programs('java')
  const commands = programs('sh').filter((text) => !text.startsWith('java '))
  let folder: string
  let output: string
  before(async function () {
    if (onPath('unzip') === undefined) this.skip()
    const bundle = await bundleHost()
    folder = mkdtempSync(join(tmpdir(), 'registry-evidence-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const [, example] = /## A worked example[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('README.md')) ?? []
    const host = startHostProcess({ DATA_DIR: join(folder, 'data') }, [bundle])
    try {
      const registers = example?.replace(/^registry=.*$/m, `registry=${await host.url}`)
      const script = ['set -e', registers, 'echo', ...commands].join('\n')
      const { stdout, stderr } = await run('bash', ['-c', script], { cwd: folder })
      output = stdout + stderr
    } finally {
      await host.end('SIGTERM')
    }
  })
  after(() => rmSync(folder ?? '', { recursive: true, force: true }))

  for (const line of [
    'The original is the one in evidence.json',
    'Verification: OK',
    'The time stamp is of this signature',
    'CMS Verification successful',
    'serialNumber=IIN900101300010',
    'Cert Status: good',
    'Response verify OK',
    'the word of the registry whose key was given: it signed this',
    'proved',
    'Signature Verified Successfully',
    'The registry said it',
  ])
    it(`that prove a document as a stranger would: ${line}`, () => {
      expect(output.split('\n').some((one) => one.includes(line))).to.equal(true)
    })

  it('and a program for BouncyCastle, which finds both signatures and their time stamps', async function () {
    requireJava(this, ['bcpkix.jar', 'bcprov.jar', 'bcutil.jar'])
    writeFileSync(join(folder, 'data/CheckContainer.java'), java)
    const [command = ''] = programs('sh').filter((text) => text.startsWith('java '))
    const { stdout } = await run('bash', ['-c', command], { cwd: folder })
    expect(stdout.trim().split('\n')).to.have.length(2)
    expect(stdout).to.match(/^20\S+Z CN=.*IIN900101300010/m)
  })
})
