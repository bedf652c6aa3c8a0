import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type ByteSource, piecesOf } from '../byte-source.js'
import { RegistryError } from '../error.js'
import { evidenceErrors } from './errors.js'
import { CERTIFICATES_FILE, NOTE_FILE, SIGNATURES_FILE, STATEMENT_FILE, strayFiles } from './known-files.js'
import { BUNDLE_TYPE } from './looks-like-evidence.js'
import { type OpenLog, openLog } from './open-log.js'
import { type OpenRecord, openRecord } from './open-record.js'
import { distinctProblems, type EvidenceProblem, type ProblemCode, problemOf } from './problem.js'
import { type ContainedFile, readContainer } from './read-container.js'
import { readStatement } from './read-statement.js'
import type { DocumentStatement, EvidenceStatement, FileHash, FileStatement, SignatureStatement } from './statement.js'

/** Media type of a container with one original and its signatures (EN 319 162-1, ASiC-S). */
export const CONTAINER_TYPE = 'application/vnd.etsi.asic-s+zip'

/** Files that are read into memory: all but originals. */
const MAX_FILE = 16 * 1024 * 1024
const MAX_FILES = 128 * 1024 * 1024

/** A bundle whose files are at hand. */
export interface OpenEvidence {
  readonly statement: EvidenceStatement
  readonly octets: { readonly statement: Uint8Array; readonly note: Uint8Array | undefined }
  readonly documents: readonly OpenDocument[]
  /** `certificates.pem`. */
  readonly certificates: Uint8Array
  /** What is wrong with its files; nothing that a signature or `evidence.json` says was judged. */
  readonly problems: readonly EvidenceProblem[]
}

/** A document of a bundle. */
export interface OpenDocument {
  readonly statement: DocumentStatement
  readonly original: { readonly name: string; readonly content: ByteSource } | undefined
  readonly signatures: readonly OpenSignature[]
  /** The CMS with all signatures that stands beside the original in a container. */
  readonly joined: { readonly file: string; readonly octets: Uint8Array } | undefined
  /** The proof that its hashes are logged. */
  readonly log: OpenLog | undefined
}

/** A signature of a bundle with its evidence. */
export interface OpenSignature {
  readonly statement: SignatureStatement
  readonly signed: Uint8Array
  readonly timeStamp: Uint8Array
  readonly stamped: Uint8Array
  /** OCSPResponse. */
  readonly ocsp: Uint8Array | undefined
  readonly crls: readonly Uint8Array[]
  /** The proof that it is logged. */
  readonly log: OpenLog | undefined
  /** The evidence record about it. */
  readonly record: OpenRecord | undefined
}

/**
 * Opens a bundle: its form, `evidence.json`, and every file by its hash. Files that the known parts do not name are compared
 * too, and otherwise passed over. Throws `evidenceNotRead` where nothing can be said of any document.
 */
export function openEvidence(source: ByteSource): OpenEvidence {
  const opening = new Opening(source).open()
  for (let step = opening.next(); ; step = opening.next()) if (step.done === true) return step.value
}

/** As `openEvidence`; calls `pause` after each mebibyte, for those who have other work too. */
export async function openEvidencePausing(source: ByteSource, pause: () => Promise<void>): Promise<OpenEvidence> {
  const opening = new Opening(source).open()
  for (let step = opening.next(); ; step = opening.next()) {
    if (step.done === true) return step.value
    await pause()
  }
}

/** Work that may be interrupted where it yields. */
type Pausing<T = void> = Generator<void, T, void>

class Opening {
  private readonly problems: EvidenceProblem[] = []
  private readonly files: ReadonlyMap<string, ContainedFile>
  private readonly containers = new Map<string, ReadonlyMap<string, ContainedFile>>()
  /** Files that several proofs share. */
  private readonly shared = new Map<string, Uint8Array>()
  private held = 0

  constructor(source: ByteSource) {
    this.files = byName(readContainer(source, BUNDLE_TYPE))
  }

  *open(): Pausing<OpenEvidence> {
    const octets = this.octets(this.required(STATEMENT_FILE))
    const statement = readStatement(octets)
    const note = this.files.get(NOTE_FILE)
    this.compareOrder(statement.files)
    for (const name of strayFiles(statement)) this.add('otherFiles', name)
    this.compareForms(statement)
    for (const file of [this.files.get('mimetype'), this.files.get(STATEMENT_FILE), note])
      if (file) yield* this.requireCrc(file)
    for (const file of statement.files) yield* this.compare(file)
    return {
      statement,
      octets: { statement: octets, note: note && this.octets(note) },
      documents: statement.documents.map((one) => this.document(one)),
      certificates: this.octets(this.required(CERTIFICATES_FILE)),
      problems: distinctProblems(this.problems),
    }
  }

  private document(statement: DocumentStatement): OpenDocument {
    const { original, signatures } = statement
    const joined = original?.container === undefined ? undefined : this.inside(original.container)?.get(SIGNATURES_FILE)
    return {
      statement,
      original: original && this.original(original),
      signatures: signatures.map((one) => this.signature(one)),
      joined: joined && { file: `${original?.container}!/${SIGNATURES_FILE}`, octets: this.octets(joined) },
      log: openLog(statement.log, (name) => this.sharedOctets(name)),
    }
  }

  private original({ file, container }: NonNullable<DocumentStatement['original']>): OpenDocument['original'] {
    const found = container === undefined ? this.required(file) : this.inside(container)?.get(file)
    return found && { name: file.split('/').at(-1) ?? file, content: found.content }
  }

  private signature(statement: SignatureStatement): OpenSignature {
    const { signature, timeStamp, stamped, ocsp, crls = [], record } = statement
    const of = (name: string) => this.octets(this.required(name))
    return {
      statement,
      signed: of(signature),
      timeStamp: of(timeStamp),
      stamped: of(stamped),
      ocsp: ocsp === undefined ? undefined : of(ocsp),
      crls: crls.map(of),
      log: openLog(statement.log, (name) => this.sharedOctets(name)),
      record: openRecord(record, (name, limit) => this.octets(this.required(name), limit)),
    }
  }

  private sharedOctets(name: string): Uint8Array {
    const octets = this.shared.get(name) ?? this.octets(this.required(name))
    this.shared.set(name, octets)
    return octets
  }

  /** Files stand in the order of `evidence.json`, and there are no others. */
  private compareOrder(stated: readonly FileStatement[]): void {
    const due = [
      'mimetype',
      STATEMENT_FILE,
      ...(this.files.has(NOTE_FILE) ? [NOTE_FILE] : []),
      ...stated.map(({ name }) => name),
    ]
    const other = [...this.files.keys()].find((name, index) => name !== due[index]) ?? due[this.files.size]
    if (other !== undefined || due.length !== this.files.size) this.add('otherFiles', other)
  }

  /** Originals and what they stand in are in blocks, and nothing else: there is one form. */
  private compareForms({ files, documents }: EvidenceStatement): void {
    const originals = new Set(documents.flatMap(({ original }) => (original === undefined ? [] : [placeOf(original)])))
    const containers = new Set(files.flatMap((one) => ('files' in one ? [one.name] : [])))
    for (const { name, streamed } of this.files.values())
      if (streamed !== (containers.has(name) || originals.has(name))) this.add('formChanged', name)
    for (const container of this.files.keys()) {
      if (!containers.has(container)) continue
      for (const { name, streamed } of this.inside(container)?.values() ?? []) {
        const place = placeOf({ container, file: name })
        if (streamed !== originals.has(place)) this.add('formChanged', place)
      }
    }
  }

  private *compare(stated: FileStatement): Pausing {
    const file = this.files.get(stated.name)
    if (file === undefined) return
    if (!('files' in stated)) {
      yield* this.compareHash(file, stated)
      return
    }
    yield* this.requireCrc(file)
    const inside = this.inside(stated.name)
    if (inside === undefined) return
    const names = ['mimetype', ...stated.files.map(({ name }) => name)]
    if (names.length !== inside.size || [...inside.keys()].some((name, index) => name !== names[index]))
      this.add('otherFiles', stated.name)
    const type = inside.get('mimetype')
    if (type !== undefined) yield* this.requireCrc(type, `${stated.name}!/mimetype`)
    for (const hash of stated.files) {
      const own = inside.get(hash.name)
      if (own !== undefined) yield* this.compareHash(own, hash, `${stated.name}!/${hash.name}`)
    }
  }

  private *compareHash(file: ContainedFile, stated: FileHash, name = stated.name): Pausing {
    const hash = createHash('sha256')
    let crc = 0
    const isRead = yield* this.reading(name, file, (piece) => {
      hash.update(piece)
      crc = crc32(piece, crc)
    })
    if (!isRead) return
    if (crc !== file.crc) this.add('formChanged', name)
    if (file.content.size !== stated.size || hash.digest('hex') !== stated.sha256) this.add('fileChanged', name)
  }

  private *requireCrc(file: ContainedFile, name = file.name): Pausing {
    let crc = 0
    const isRead = yield* this.reading(name, file, (piece) => {
      crc = crc32(piece, crc)
    })
    if (isRead && crc !== file.crc) this.add('formChanged', name)
  }

  /** Takes a file in pieces; false where it cannot be read, which is a problem. */
  private *reading(name: string, { content }: ContainedFile, take: (piece: Uint8Array) => void): Pausing<boolean> {
    const pieces = piecesOf(content)
    for (;;) {
      let isOver = false
      const isRead = this.attempt(name, () => {
        const { done, value } = pieces.next()
        if (done === true) isOver = true
        else take(value)
      })
      if (!isRead || isOver) return isRead
      yield
    }
  }

  /** The files of a container in the bundle; `undefined` where it cannot be read, which is a problem. */
  private inside(name: string): ReadonlyMap<string, ContainedFile> | undefined {
    const known = this.containers.get(name)
    if (known !== undefined) return known
    const file = this.required(name)
    let files: ReadonlyMap<string, ContainedFile> | undefined
    this.attempt(name, () => {
      files = byName(readContainer(file.content, CONTAINER_TYPE))
    })
    if (files !== undefined) this.containers.set(name, files)
    return files
  }

  private attempt(name: string, read: () => void): boolean {
    try {
      read()
      return true
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      const { code, file } = problemOf(error)
      this.add(code === 'notEvidence' ? 'formChanged' : code, file === undefined ? name : `${name}!/${file}`)
      return false
    }
  }

  private octets({ name, content }: ContainedFile, limit = MAX_FILE): Uint8Array {
    this.held += content.size
    if (content.size > limit || this.held > MAX_FILES) throw notRead('tooLarge', name)
    return content.read(0, content.size)
  }

  private required(name: string): ContainedFile {
    const file = this.files.get(name)
    if (file === undefined) throw notRead(name === STATEMENT_FILE ? 'notEvidence' : 'otherFiles', name)
    return file
  }

  private add(code: ProblemCode, file: string | undefined): void {
    this.problems.push({ code, file })
  }
}

/** Where a file stands: in a container, `container!/file`. */
const placeOf = ({ container, file }: { readonly container?: string | undefined; readonly file: string }): string =>
  container === undefined ? file : `${container}!/${file}`

const byName = (files: readonly ContainedFile[]): ReadonlyMap<string, ContainedFile> =>
  new Map(files.map((file) => [file.name, file]))

const notRead = (reason: ProblemCode, file: string) => evidenceErrors.error('evidenceNotRead', { reason, file })
