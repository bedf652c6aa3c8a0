import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type OutboundAnswer, type OutboundClient, OutboundError, type OutboundFailure } from '@signed-registry/core'
import {
  bundleStart,
  entriesPath,
  HASH_BYTES,
  MAX_ENTRY_BYTES,
  readBundle,
  TILE_WIDTH,
  type Tile,
  tilePath,
} from '@signed-registry/verifier/log'

/** How long and how often a log is asked. */
export interface Retries {
  /** Milliseconds for each answer. */
  readonly timeoutMs: number
  /** How often the same is asked, where the log does not answer, or asks to wait. */
  readonly attempts: number
  /** Milliseconds before it is asked again; twice as many each time. */
  readonly pauseMs: number
}

export const usualRetries: Retries = { timeoutMs: 30_000, attempts: 5, pauseMs: 1000 }

/** Something of a log that could not be read, in words of people. */
export class LogUnreadable extends Error {
  override readonly name = 'LogUnreadable'

  constructor(
    message: string,
    /** Whether the log says that it has no such thing. */
    readonly isAbsent: boolean = false,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const MAX_TEXT_BYTES = 1024 * 1024
const LENGTH_BYTES = 2
/** What compression adds to hashes, which cannot be compressed, besides a hundredth. */
const COMPRESSION_BYTES = 1024
const MAX_PAUSE_MS = 60_000
const RETRIED = new Set([429, 502, 503, 504])
const unzip = promisify(gunzip)

const FAILURES: Readonly<Record<OutboundFailure, string>> = {
  badAddress: 'is no http: or https: address',
  forbiddenAddress: 'may not be asked',
  forbiddenPort: 'may not be asked',
  unreachable: 'cannot be reached',
  timeout: 'does not answer in time',
  tooLarge: 'answers more than it can have there',
}

/** Reads what a log serves by C2SP tlog-tiles; every answer is bounded, and nothing is verified. */
export class LogReader {
  constructor(
    /** The prefix of the log, or the address of a registry; without a slash at its end. */
    readonly address: string,
    private readonly client: Pick<OutboundClient, 'send'>,
    private readonly retries: Retries,
  ) {}

  /** A text below the prefix, such as `checkpoint`. */
  async text(path: string): Promise<string> {
    return (await this.get(path, MAX_TEXT_BYTES)).toString()
  }

  /** The hashes of a tile; the start of the full one where a narrower one is not kept. */
  readonly tile = async (tile: Tile): Promise<Uint8Array> => {
    const part = (width: number) => this.get(`tile/${tilePath({ ...tile, width })}`, width * HASH_BYTES)
    return this.narrowOrFull(tile.width, part, (bytes) => bytes.subarray(0, tile.width * HASH_BYTES))
  }

  /** The entries of a bundle; throws `logNotRead` where it is malformed. */
  async entries(index: number, width: number): Promise<Uint8Array[]> {
    const part = (some: number) => this.get(`tile/${entriesPath(index, some)}`, some * (LENGTH_BYTES + MAX_ENTRY_BYTES))
    return readBundle(await this.narrowOrFull(width, part, (bytes) => bundleStart(bytes, width)), width)
  }

  private async narrowOrFull(
    width: number,
    part: (width: number) => Promise<Uint8Array>,
    start: (full: Uint8Array) => Uint8Array,
  ): Promise<Uint8Array> {
    try {
      return await part(width)
    } catch (error) {
      if (width === TILE_WIDTH || !(error instanceof LogUnreadable && error.isAbsent)) throw error
      const full = await part(TILE_WIDTH).catch(() => undefined)
      if (full === undefined) throw error
      return start(full)
    }
  }

  private async get(path: string, maxBytes: number): Promise<Buffer> {
    const url = `${this.address}/${path}`
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= this.retries.attempts
      const pauseMs = this.retries.pauseMs * 2 ** (attempt - 1)
      const answer = await this.ask(url, maxBytes, isLast)
      if (answer !== undefined && (isLast || !RETRIED.has(answer.status))) return bodyOf(url, answer, maxBytes)
      await sleep(Math.min(MAX_PAUSE_MS, Math.max(pauseMs, waitMs(answer))))
    }
  }

  /** `undefined` for no answer that is worth asking again for. */
  private async ask(url: string, maxBytes: number, isLast: boolean): Promise<OutboundAnswer | undefined> {
    try {
      const headers = { 'accept-encoding': 'gzip, identity' }
      const { timeoutMs } = this.retries
      const onTheWay = maxBytes + COMPRESSION_BYTES + maxBytes / 100
      return await this.client.send({ url, method: 'GET', headers, timeoutMs, maxBytes: onTheWay, ifLarger: 'refuse' })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (!isLast && (error.reason === 'timeout' || error.reason === 'unreachable')) return undefined
      throw new LogUnreadable(`${url} ${FAILURES[error.reason]}`, false, { cause: error })
    }
  }
}

/** What a log asks to wait, in seconds. */
const waitMs = (answer: OutboundAnswer | undefined): number => {
  const seconds = Number(answer?.headers['retry-after'] ?? 0)
  return Number.isFinite(seconds) ? seconds * 1000 : 0
}

async function bodyOf(url: string, { status, headers, body }: OutboundAnswer, maxBytes: number): Promise<Buffer> {
  if (status !== 200) throw new LogUnreadable(`${url} answers ${status}`, status === 404 || status === 410)
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding === 'identity') {
    if (body.length > maxBytes) throw new LogUnreadable(`${url} ${FAILURES.tooLarge}`)
    return body
  }
  if (coding !== 'gzip') throw new LogUnreadable(`${url} is encoded as ${coding}, which nobody asked for`)
  try {
    return await unzip(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    throw new LogUnreadable(`${url} cannot be unpacked, or is larger than it can be`, false, { cause })
  }
}
