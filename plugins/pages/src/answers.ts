import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { PageAnswer } from '@signed-registry/core'
import type { Asset } from './assets.js'

const compress = promisify(gzip)
const YEAR_SECONDS = 365 * 24 * 60 * 60
/** Shorter pages are not worth compressing. */
const COMPRESSED_FROM = 1024

/** Permissions that a page needs beyond those of every page. */
export type Needs = 'nothing' | 'showing' | 'signing'

/**
 * The content security policy: nothing from other origins. Pages that show documents may show blobs as pictures and in a
 * frame; pages that sign may connect to NCALayer on this computer.
 */
const policy = (needs: Needs): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    `img-src 'self'${needs === 'nothing' ? '' : ' data: blob:'}`,
    ...(needs === 'nothing' ? [] : ['frame-src blob:']),
    `connect-src 'self'${needs === 'signing' ? ' wss://127.0.0.1:13579' : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const POLICIES: Readonly<Record<Needs, string>> = {
  nothing: policy('nothing'),
  showing: policy('showing'),
  signing: policy('signing'),
}

/** A page and how to send it. */
export interface HtmlAnswer {
  readonly html: string
  readonly status: number
  readonly needs: Needs
  /** Not for search engines. */
  readonly isUnlisted: boolean
  /** True when the page is the same for every visitor. */
  readonly isPublic: boolean
  readonly language: string
  readonly cookie: string | undefined
}

type Header = (name: string) => string | undefined

/** A page as an answer: with its policy, and with an ETag when it may be cached. */
export async function htmlAnswer(
  { html, status, needs, isUnlisted, isPublic, language, cookie }: HtmlAnswer,
  header: Header,
): Promise<PageAnswer> {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': POLICIES[needs],
    vary: 'accept-encoding, accept-language, cookie',
    'cache-control': 'no-store',
    // With `no-referrer` browsers would send `Origin: null` with forms.
    'referrer-policy': 'same-origin',
  }
  // Encoded once, for its tag and for the browser.
  const body = Buffer.from(html)
  if (isUnlisted) headers['x-robots-tag'] = 'noindex'
  if (cookie !== undefined) headers['set-cookie'] = cookie
  else if (isPublic && status === 200) {
    const etag = etagOf(body)
    headers['cache-control'] = 'public, no-cache'
    headers.etag = etag
    if (isKnown(etag, header)) return { status: 304, headers, body: '' }
  }
  if (body.length < COMPRESSED_FROM || !accepts(header, 'gzip')) return { status, headers, body }
  headers['content-encoding'] = 'gzip'
  return { status, headers, body: await compress(body, { level: constants.Z_BEST_SPEED }) }
}

/** A logo may come from anywhere: nothing in it may run, even when it is opened directly. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** The national hashes are WebAssembly, which the worker may compile but pages may not. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"

/** A file, which may be cached for ever under its versioned URL. */
export function assetAnswer(asset: Asset | undefined, header: Header): PageAnswer {
  if (asset === undefined) return { status: 404, headers: { 'cache-control': 'no-store' }, body: '' }
  const { coding, body } = coded(asset, header)
  return {
    status: 200,
    headers: {
      'content-type': asset.type,
      'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
      vary: 'accept-encoding',
      'content-security-policy': asset.isWorker ? WORKER_POLICY : FILE_POLICY,
      ...coding,
    },
    body,
  }
}

/** A file to keep. It is saved and never opened from here, where it would act for the visitor. */
export const downloadAnswer = (asset: Asset, name: string, header: Header): PageAnswer =>
  changingAnswer(asset, header, { 'content-disposition': `attachment; filename="${name}"` })

/** A file under an address that stays, which may change. */
export function changingAnswer(asset: Asset, header: Header, more: PageAnswer['headers'] = {}): PageAnswer {
  const { coding, body } = coded(asset, header)
  const etag = etagOf(asset.plain)
  const headers = {
    'content-type': asset.type,
    ...more,
    'content-security-policy': FILE_POLICY,
    'cache-control': 'public, no-cache',
    vary: 'accept-encoding',
    etag,
  }
  return isKnown(etag, header)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers: { ...headers, ...coding }, body }
}

/** Bytes out of the database under an address that stays, as they are; `undefined` where there are none. */
export function storedAnswer(type: string, content: Uint8Array | undefined, header: Header): PageAnswer {
  if (content === undefined) return { status: 404, headers: { 'cache-control': 'no-store' }, body: '' }
  const etag = etagOf(content)
  const headers = {
    'content-type': type,
    'content-security-policy': FILE_POLICY,
    'cache-control': 'public, no-cache',
    etag,
  }
  return isKnown(etag, header)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers, body: Buffer.from(content) }
}

const etagOf = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`

/** Whether the browser has it already. */
const isKnown = (etag: string, header: Header): boolean =>
  header('if-none-match')
    ?.replace(/W\//g, '')
    .split(/\s*,\s*/)
    .includes(etag) === true

/** A file as short as the browser takes it. */
function coded({ plain, gzip, brotli }: Asset, header: Header) {
  if (accepts(header, 'br')) return { coding: { 'content-encoding': 'br' }, body: brotli }
  return accepts(header, 'gzip') ? { coding: { 'content-encoding': 'gzip' }, body: gzip } : { coding: {}, body: plain }
}

const accepts = (header: Header, coding: string): boolean =>
  (header('accept-encoding') ?? '')
    .split(/\s*,\s*/)
    .some((one) => one === coding || one.startsWith(`${coding};q=0.`) || one === `${coding};q=1`)
