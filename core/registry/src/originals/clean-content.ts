import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { ContentScanner, type ScanVerdict } from './ports.js'
import { once } from './upload-bytes.js'

/** How an area refuses content that is not known to be clean. */
export interface Unclean {
  /** Malware was found, or the content is too large to scan. */
  notClean(details: { readonly reason: string; readonly name?: string }): Error
  /** The scanner gave no verdict. */
  notScanned(cause: unknown): Error
}

/** Keeps malware out of what is made of originals and of what is read; without a scanner everything passes. */
export class CleanContent {
  static readonly inject = { scanner: ContentScanner, logger: Logger }

  constructor(private readonly use: Injected<typeof CleanContent.inject>) {}

  /** Throws as told for content with malware, content too large to scan, and where the scanner gives no verdict. */
  async assert(original: Uint8Array, { notClean, notScanned }: Unclean): Promise<void> {
    const { scanner, logger } = this.use
    if (scanner === undefined) return
    let found: ScanVerdict
    try {
      found = await scanner.scan(once(original))
    } catch (error) {
      logger.warn('An original was not scanned', { error })
      throw notScanned(error)
    }
    if (found.verdict === 'clean') return
    throw notClean({ reason: found.verdict, ...(found.verdict === 'infected' && { name: found.name }) })
  }
}
