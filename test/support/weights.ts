import type { CDPSession, Page } from 'playwright-core'

/** A file of a page, as it came over the wire. */
export interface Weighed {
  readonly path: string
  /** Compressed, with its head. */
  readonly bytes: number
  /** Whether nothing is painted before it has come: the page itself and its style sheets. */
  readonly isFirst: boolean
}

/** Weighs everything that pages load in a window, until it is asked. */
export class Scales {
  private readonly files = new Map<string, { path: string; type: string; page: string; bytes: number }>()

  private constructor(readonly session: CDPSession) {
    session.on('Network.responseReceived', ({ requestId, loaderId, response, type }) => {
      this.files.set(requestId, { path: new URL(response.url).pathname, type, page: loaderId, bytes: 0 })
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const file = this.files.get(requestId)
      if (file !== undefined) file.bytes = encodedDataLength
    })
  }

  static async at(page: Page): Promise<Scales> {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    return new Scales(session)
  }

  /** What the page has loaded since the last time; what the one before still loaded at rest is not of it. */
  weigh(): Weighed[] {
    const loaded = [...this.files.values()]
    const page = loaded.findLast(({ type }) => type === 'Document')?.page
    const own = loaded.filter((one) => page === undefined || one.page === page)
    const all = own.map(({ path, type, bytes }) => ({
      ...{ path, bytes },
      isFirst: type === 'Document' || type === 'Stylesheet',
    }))
    this.files.clear()
    return all
  }
}

export const total = (files: readonly Weighed[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0)
