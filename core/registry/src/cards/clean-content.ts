import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { ContentScanner, type ScanVerdict } from '../originals/index.js'
import { cardErrors } from './errors.js'

/** Keeps originals with malware out of cards, both made and read; without a scanner everything passes. */
export class CleanContent {
  static readonly inject = { scanner: ContentScanner, logger: Logger }

  constructor(private readonly use: Injected<typeof CleanContent.inject>) {}

  /** Throws `cardContentNotClean`, also for content too large to scan, or `cardContentNotScanned` without a verdict. */
  async assert(original: Uint8Array): Promise<void> {
    const { scanner } = this.use
    if (scanner === undefined) return
    const found = await this.scan(scanner, original)
    if (found.verdict === 'clean') return
    throw cardErrors.error('cardContentNotClean', {
      reason: found.verdict,
      ...(found.verdict === 'infected' && { name: found.name }),
    })
  }

  private async scan(scanner: ContentScanner, original: Uint8Array): Promise<ScanVerdict> {
    try {
      return await scanner.scan(once(original))
    } catch (error) {
      this.use.logger.warn('The original of a card was not scanned', { error })
      throw cardErrors.error('cardContentNotScanned', {}, error)
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
