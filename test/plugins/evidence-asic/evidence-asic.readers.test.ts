import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'chai'
import { requireJava } from '../../differential/java.js'
import { contentAt, placesIn, unzipped } from '../../support/containers.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { inFolder } from '../../support/pki/openssl.js'
import { onPath } from '../../support/programs.js'

const READER = 'test/differential/java/ContainerReader.java'
const PYTHON = `
import sys, zipfile
for name in sys.argv[1:]:
    with zipfile.ZipFile(name) as container:
        assert container.testzip() is None
        print('\\n'.join(container.namelist()))
`

describe('evidence bundles, in the eyes of other readers of ZIP files', () => {
  const authorities = testAuthorities()
  const signers = [authorities.person({ algorithm: 'rsa2048' })]
  let bundle: Buffer
  let folder: string
  let names: string[]
  let inside: string[]

  /** Runs a program in a folder with `bundle.asice` and a `document.asics` out of it; what it wrote, where it succeeded. */
  const run = (program: string, args: readonly string[], input?: Uint8Array): string =>
    inFolder({ 'bundle.asice': bundle, 'document.asics': contentAt(unzipped(bundle), folder) }, (cwd) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd, input, encoding: 'utf8' })
      expect(status, stderr).to.equal(0)
      return stdout
    })
  const lines = (text: string) => text.trim().split('\n')
  const needs = (program: string) =>
    function (this: Mocha.Context) {
      if (onPath(program) === undefined) this.skip()
    }

  before(async () => {
    const documents = [
      { content: Buffer.alloc(200_000, 'a contract '), title: 'Шарт № 1.pdf', documentId: 'A'.repeat(16), signers },
      { content: '', title: '', documentId: 'B'.repeat(16), signers },
      {
        content: '<a></a>',
        title: 'a.xml',
        documentId: 'C'.repeat(16),
        signers: signers.map((by) => ({ by, as: 'xml' }) as const),
      },
    ]
    bundle = await builtBytes(bundleOf(authorities, documents))
    folder = `documents/${'A'.repeat(16)}.asics`
    names = unzipped(bundle).map(({ name }) => name)
    inside = unzipped(contentAt(unzipped(bundle), folder)).map(({ name }) => name)
  })

  describe('unzip', () => {
    before(needs('unzip'))
    it('tests and lists them', () => {
      expect(run('unzip', ['-t', 'bundle.asice'])).to.include('No errors detected')
      expect(run('unzip', ['-t', 'document.asics'])).to.include('No errors detected')
      expect(lines(run('unzip', ['-Z1', 'bundle.asice']))).to.deep.equal(names)
    })
  })

  describe('zipfile of Python', () => {
    before(needs('python3'))
    it('tests and lists them', () => {
      expect(lines(run('python3', ['-c', PYTHON, 'bundle.asice', 'document.asics']))).to.deep.equal([
        ...names,
        ...inside,
      ])
    })
  })

  describe('bsdtar', () => {
    before(needs('bsdtar'))
    it('lists them, and reads them from a pipe', () => {
      expect(lines(run('bsdtar', ['-tf', 'bundle.asice']))).to.deep.equal(names)
      expect(lines(run('bsdtar', ['-tf', '-'], bundle))).to.deep.equal(names)
      expect(run('bsdtar', ['-xOf', '-', 'evidence.json'], bundle)).to.equal(
        contentAt(unzipped(bundle), 'evidence.json').toString(),
      )
    })
  })

  describe('ZipInputStream of Java', () => {
    before(function () {
      requireJava(this, [])
    })
    it('reads every file as it comes, those of containers too', () => {
      const files = unzipped(bundle)
      const hashes = placesIn(files).map(
        (place) => `${createHash('sha256').update(contentAt(files, place)).digest('hex')} ${place}`,
      )
      const reader = join(process.cwd(), READER)
      expect(
        lines(run('java', ['-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8', reader, 'bundle.asice'])),
      ).to.deep.equal(hashes)
    })
  })
})
