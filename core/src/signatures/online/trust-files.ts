import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'

const EXTENSIONS = new Set(['.pem', '.crt', '.cer', '.der', '.crl'])
const MOST_FILES = 1_000
const MOST_BYTES = 64 * 1024 * 1024

/** One file of the operator's, or one value given in code. */
export interface TrustFile {
  /** Named in errors. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** One DER structure out of such a file. */
export interface TrustEntry {
  readonly name: string
  readonly der: Uint8Array
}

/** Reads a file, or the files of a folder that end in .pem, .crt, .cer, .der or .crl, by name; throws for what cannot be read. */
export function readTrustFiles(path: string): TrustFile[] {
  return listed(path).map((name) => {
    if (statSync(name).size > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes`)
    return { name, bytes: readFileSync(name) }
  })
}

/** A text that changes whenever one of the files does; cheap enough to ask often. */
export function trustFilesState(path: string): string {
  return listed(path)
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(name)
      return `${name} ${size} ${mtimeMs} ${ino}`
    })
    .join('\n')
}

/** The structures in a file: one DER, or every PEM block. Blocks other than certificates and CRLs are refused. */
export function trustEntries({ name, bytes }: TrustFile): TrustEntry[] {
  if (bytes[0] === 0x30) return [{ name, der: bytes }]
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const entries: TrustEntry[] = []
  for (let from = text.indexOf(BEGIN); from >= 0; from = text.indexOf(BEGIN, from + 1)) {
    entries.push({ name, der: pemBlock(name, text, from + BEGIN.length) })
  }
  if (entries.length === 0) throw new Error(`${name} is neither DER nor PEM`)
  return entries
}

const BEGIN = '-----BEGIN '
const LABELS = new Set(['CERTIFICATE', 'X509 CRL'])

function pemBlock(name: string, text: string, start: number): Uint8Array {
  const label = text.slice(start, text.indexOf('-----', start))
  if (!LABELS.has(label)) throw new Error(`${name} holds something else than certificates and CRLs`)
  const body = start + label.length + 5
  const end = text.indexOf(`-----END ${label}-----`, body)
  const base64 = text.slice(body, end < 0 ? body : end).replace(/\s/g, '')
  if (base64.length === 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error(`${name} holds a broken PEM block`)
  return Buffer.from(base64, 'base64')
}

function listed(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => !name.startsWith('.') && EXTENSIONS.has(extname(name).toLowerCase()))
  if (names.length > MOST_FILES) throw new Error(`${path} holds more than ${MOST_FILES} files`)
  return names.sort().map((name) => join(path, name))
}
