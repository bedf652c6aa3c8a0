import { DocumentStore } from '../documents/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { type ReadableOriginal, ReadOriginals } from '../originals/index.js'
import { MailLimits } from './limits.js'
import type { MailAttachment } from './mailer.js'
import type { Missing } from './missing-originals.js'
import type { News } from './news.js'
import { ScanVerdicts } from './scan-verdicts.js'

/** An original that was asked for and does not go with the mail. */
export interface MissingOriginal {
  readonly documentId: string
  /** Title of the document. */
  readonly title: string
  readonly reason: Missing
}

/** What goes with a mail. */
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

/** Takes the originals that go with a mail out of archive and temporary storage, as far as they are small and clean. */
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

  /** The same mail for a server that takes none so large. */
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
      bytes = await whole(original)
    } catch (error) {
      this.use.logger.warn('An original was not attached to a mail: it could not be read', { documentId: id, error })
      return 'notRead'
    }
    return (await this.use.verdicts.faultOf(id, () => once(bytes))) ?? bytes
  }
}

/** Documents whose originals go with a mail where they can. */
export function attachedBy(news: News): readonly string[] {
  if (!('attach' in news)) return []
  if (typeof news.attach !== 'string') return news.attach
  return 'documentId' in news && news.attach !== 'none' ? [news.documentId] : []
}

async function whole({ size, bytes }: ReadableOriginal): Promise<Uint8Array> {
  const all = Buffer.alloc(size)
  let at = 0
  for await (const piece of bytes()) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
