import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgramSync } from '../run-program.js'

/** SHA-256 by name. */
export type Listing = Readonly<Record<string, string>>

/** Programs that find files in a ZIP, each in its own way. */
export const ARCHIVERS = ['unzip', 'bsdtar', 'python3'] as const
export type Archiver = (typeof ARCHIVERS)[number]

const PYTHON = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    names = z.namelist()
    print(json.dumps({n if names.count(n) == 1 else n + ' doubled': hashlib.sha256(z.read(n)).hexdigest() for n in names if not n.endswith('/')}))
`

export const hashOf = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex')

/** The files that a program finds; what it says where it finds an error. */
export function filesBy(program: Archiver, zip: Uint8Array): Listing | string {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'))
  try {
    const path = join(folder, 'file.zip')
    writeFileSync(path, zip)
    const into = mkdtempSync(join(folder, 'into-'))
    const words = {
      unzip: ['-qq', '-o', path, '-d', into],
      bsdtar: ['-x', '-f', path, '-C', into],
      python3: ['-c', PYTHON, path],
    }[program]
    const { status, stdout, stderr } = runProgramSync(program, words, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    if (status !== 0) return `${stderr}`.trim() || `status ${status}`
    return program === 'python3' ? JSON.parse(stdout.toString()) : filesIn(into)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesIn(folder: string): Listing {
  const found = new Map<string, string>()
  // Paths as octets: names may be none of UTF-8.
  const look = (at: Buffer, inside: readonly string[]): void => {
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([at, Buffer.from('/'), entry.name])
      const names = [...inside, entry.name.toString()]
      if (entry.isDirectory()) look(path, names)
      else found.set(names.join('/'), entry.isFile() ? hashOf(readFileSync(path)) : 'no file')
    }
  }
  look(Buffer.from(folder), [])
  return Object.fromEntries(found)
}
