import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { octetsOf } from '#verifier/zip/content.js'
import { readZip } from '#verifier/zip/read-zip.js'
import { mutateFile } from '../../fuzz/mutate-file.js'
import { Random } from '../../fuzz/random.js'
import { ARCHIVERS, type Archiver, filesBy, hashOf, type Listing } from '../../support/asic/archivers.js'
import { asicE, asicS } from '../../support/asic/containers.js'
import { oddZips } from '../../support/asic/odd-zips.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { onPath } from '../../support/programs.js'
import { runProgramSync } from '../../support/run-program.js'
import { amount } from '../../support/sweep.js'

const RUNS = amount(2000, 40_000)
const SEED = 20_261_129
const LARGEST = 64 * 1024 * 1024

describe('ZIPs that are read, beside unzip, bsdtar and Python', () => {
  const programs = ARCHIVERS.filter((program) => onPath(program) !== undefined)
  before(function () {
    if (programs.length < ARCHIVERS.length) this.skip()
  })

  async function ours(zip: Uint8Array): Promise<Listing | undefined> {
    const source = sourceOf(zip)
    try {
      const found: Record<string, string> = {}
      for (const file of readZip(source)) found[file.name] = hashOf(await octetsOf(source, file, LARGEST))
      return found
    } catch (error) {
      if (error instanceof RegistryError) return undefined
      throw error
    }
  }

  it('have the same files everywhere, and what some read otherwise is refused', async () => {
    for (const { name, refused, make } of oddZips) {
      const found = await ours(make())
      expect(found === undefined, name).to.equal(refused !== undefined)
      if (found !== undefined)
        for (const program of programs) expect(filesBy(program, make()), name).to.deep.equal(found)
      else console.log(`      ${name}: ${programs.map((program) => `${program} ${shown(program, make())}`).join('; ')}`)
    }
  })

  it('are read as other programs write them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zips-'))
    try {
      mkdirSync(join(folder, 'META-INF'))
      writeFileSync(join(folder, 'a.txt'), 'again '.repeat(100))
      writeFileSync(join(folder, 'META-INF/b.txt'), 'b')
      const python = `import zipfile\nwith zipfile.ZipFile('python3.zip', 'w', 8) as z:\n  z.write('a.txt'); z.mkdir('x') if hasattr(z, 'mkdir') else None; z.write('META-INF/b.txt')`
      const writers: Readonly<Record<string, readonly string[]>> = {
        zip: ['-q', '-r', 'zip.zip', 'a.txt', 'META-INF'],
        bsdtar: ['-c', '-f', 'bsdtar.zip', '--format', 'zip', 'a.txt', 'META-INF'],
        python3: ['-c', python],
        '7z': ['a', '-bd', '7z.zip', 'a.txt', 'META-INF'],
        jar: ['cfM', 'jar.zip', 'a.txt', 'META-INF'],
      }
      const due = { 'a.txt': hashOf(readFileSync(join(folder, 'a.txt'))), 'META-INF/b.txt': hashOf(Buffer.from('b')) }
      for (const [program, words] of Object.entries(writers)) {
        if (onPath(program) === undefined) continue
        const { status, stderr } = runProgramSync(program, words, { cwd: folder })
        expect(status, stderr).to.equal(0)
        expect(await ours(readFileSync(join(folder, `${program}.zip`))), program).to.deep.equal(due)
        console.log(`      read what ${program} wrote`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('have the same files everywhere, however they were changed', async () => {
    const person = testAuthorities().person()
    const files = ['a.txt', 'folder/b.txt'].map((name) => ({ name, content: Buffer.from(`${name} `.repeat(30)) }))
    const [first = { name: '', content: Buffer.alloc(0) }] = files
    const honest = oddZips.filter(({ refused }) => refused === undefined).map(({ make }) => make())
    const small = zipOf(files.map((one) => ({ ...one, deflated: true })))
    const seeds = [asicE([person], files), asicS(person, first), small, ...honest]
    const random = new Random(SEED)
    const accepted = new Map<string, Buffer>()
    for (let run = 0; run < RUNS; run += 1) {
      const zip = changed(random.pick(seeds), random)
      if ((await ours(zip)) !== undefined) accepted.set(hashOf(zip), zip)
    }
    let compared = 0
    const errors = { unzip: 0, bsdtar: 0, python3: 0 }
    for (const zip of accepted.values()) {
      const found = (await ours(zip)) ?? {}
      // Nothing in it is refused by some programs; unzip has other names where they are not ASCII.
      if (
        compared === amount(40, 600) ||
        Object.keys(found).length === 0 ||
        /[^\x20-\x7e]/.test(Object.keys(found).join())
      )
        continue
      compared += 1
      for (const program of programs) {
        const other = filesBy(program, zip)
        // A flag or version that a program does not take is no other file.
        if (typeof other === 'string') errors[program] += 1
        else expect(other, `${program}, seed ${SEED}\n${zip.toString('base64')}`).to.deep.equal(found)
      }
    }
    console.log(
      `      seed ${SEED}: ${RUNS} changed, ${accepted.size} accepted, ${compared} compared, errors ${JSON.stringify(errors)}`,
    )
  })

  /** Mostly in the records, since contents are told by their CRC-32. */
  function changed(zip: Buffer, random: Random): Buffer {
    if (random.chance(20)) return mutateFile(zip, random)
    const records = placesOf(zip)
    const made = Buffer.from(zip)
    for (let changes = 1 + random.below(2); changes > 0; changes -= 1) {
      const at = random.pick(records) + 4 + random.below(46)
      if (at < made.length) made.writeUInt8(random.pick([0, 1, 2, 8, 0x14, 0x2d, 0x40, 0xff, random.below(256)]), at)
    }
    return made
  }

  /** Where records begin. */
  function placesOf(zip: Buffer): number[] {
    const places: number[] = []
    for (let at = zip.indexOf('PK'); at !== -1; at = zip.indexOf('PK', at + 1)) places.push(at)
    return places
  }

  function shown(program: Archiver, zip: Buffer): string {
    const found = filesBy(program, zip)
    return typeof found === 'string' ? 'finds an error' : `finds ${Object.keys(found).join(', ') || 'nothing'}`
  }
})
