import { DocumentStore } from '../documents/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { type ReadableOriginal, ReadOriginals } from '../originals/index.js'
import { MailLimits } from './limits.js'
import type { MailAttachment } from './mailer.js'
import type { Missing } from './missing-originals.js'
import type { News } from './news.js'
import { ScanVerdicts } from './scan-verdicts.js'

/** An original that was to be attached and is not. */
export interface MissingOriginal {
  readonly documentId: string
  /** Title of the document. */
  readonly title: string
  readonly reason: Missing
}

/** The attachments of a mail. */
export interface Attached {
  readonly files: readonly MailAttachment[]
  readonly missing: readonly MissingOriginal[]
}

interface Wanted {
  readonly id: string
  readonly title: string
  /** Bytes of the original. */
  readonly signedDataSize: number
}

const NOTHING: Attached = { files: [], missing: [] }

/** Reads the originals to attach from archive and temporary storage, if they are small enough and free of malware. */
export class Attachments {
  static readonly inject = {
    documents: DocumentStore,
    originals: ReadOriginals,
    verdicts: ScanVerdicts,
    limits: MailLimits,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof Attachments.inject>) {}

  async of(news: News): Promise<Attached> {
    const ids = attachedBy(news)
    if (ids.length === 0) return NOTHING
    let room = this.use.limits.mailAttachment
    const files: MailAttachment[] = []
    const missing: MissingOriginal[] = []
    for (const wanted of await this.use.documents.list(ids)) {
      const bytes = await this.take(wanted, room, 'attach' in news && news.attach === 'passing')
      if (typeof bytes === 'string') {
        missing.push({ documentId: wanted.id, title: wanted.title, reason: bytes })
        continue
      }
      room -= bytes.length
      files.push({ name: wanted.title === '' ? wanted.id : wanted.title, bytes })
    }
    return { files, missing }
  }

  /** For a mail server that refused the mail as too large. */
  async withoutOriginals(news: News): Promise<Attached> {
    const wanted = await this.use.documents.list(attachedBy(news))
    return { files: [], missing: wanted.map(({ id, title }) => ({ documentId: id, title, reason: 'tooLarge' })) }
  }

  private async take({ id, signedDataSize }: Wanted, room: number, spooled: boolean): Promise<Uint8Array | Missing> {
    const original = await this.use.originals.find(id, { spooled })
    if (signedDataSize > room) return 'tooLarge'
    if (original === undefined) return 'notKept'
    let bytes: Uint8Array
    try {
      bytes = await readAll(original)
    } catch (error) {
      this.use.logger.warn('An original was not attached to a mail: it could not be read', { documentId: id, error })
      return 'notRead'
    }
    return (await this.use.verdicts.faultOf(id, () => streamOf(bytes))) ?? bytes
  }
}

/** Documents whose originals are attached where possible. */
export function attachedBy(news: News): readonly string[] {
  if (!('attach' in news)) return []
  if (typeof news.attach !== 'string') return news.attach
  return 'documentId' in news && news.attach !== 'none' ? [news.documentId] : []
}

async function readAll({ size, bytes }: ReadableOriginal): Promise<Uint8Array> {
  const all = Buffer.alloc(size)
  let at = 0
  for await (const piece of bytes()) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
