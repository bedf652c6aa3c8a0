import type { PageAnswer, PageRequest } from '@signed-registry/core'
import { changingAnswer } from './answers.js'
import { type Assets, compressed, nameOfLogo } from './assets.js'
import { LANGUAGES, languageOf, TEXTS } from './language.js'
import type { Operations } from './operations.js'

/** Pages that depend on who looks, and search engines leave alone. Documents say themselves whether they may be listed. */
const UNLISTED = [
  '/api/',
  '/d/*/',
  '/p/*/',
  '/documents',
  '/export',
  '/find',
  '/incoming',
  '/login',
  '/organization',
  '/outgoing',
  '/packages',
  '/send-many',
  '/settings',
  '/sign-many',
  '/templates',
  '/unsubscribe/',
]

/** Half a year: `Expires` should lie less than a year ahead (RFC 9116, 2.5.5). */
const VALID_MS = 182 * 24 * 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

interface SiteFilesOptions {
  readonly assets: Assets
  /** The logo of the operator, if there is one. */
  readonly logo: string | undefined
  /** Where to report vulnerabilities: `mailto:`, `https:` and `tel:` addresses. */
  readonly security: readonly string[]
  readonly use: Pick<Operations, 'site' | 'clock'>
  readonly siteName: () => string | undefined
}

/** Files that browsers and robots look for under addresses that everybody knows. */
export class SiteFiles {
  private readonly files: Readonly<Record<string, (request: PageRequest) => PageAnswer>>

  constructor(private readonly options: SiteFilesOptions) {
    this.files = {
      '/favicon.ico': this.asset(options.logo === undefined ? 'favicon.ico' : nameOfLogo(options.logo)),
      '/apple-touch-icon.png': this.asset('apple-touch-icon.png'),
      '/manifest.webmanifest': (request) => this.text('.webmanifest', this.manifest(request), request),
      '/robots.txt': (request) => this.text('.txt', robots, request),
      ...(options.security.length > 0 && {
        '/.well-known/security.txt': (request: PageRequest) => this.text('.txt', this.securityText(), request),
      }),
    }
  }

  get addresses(): readonly string[] {
    return Object.keys(this.files)
  }

  /** `undefined` for any other address. */
  answer(request: PageRequest): PageAnswer | undefined {
    return this.files[request.address]?.(request)
  }

  private asset(name: string) {
    return ({ header }: PageRequest): PageAnswer => changingAnswer(this.options.assets.named(name), header)
  }

  private text(extension: string, text: string, { header }: PageRequest): PageAnswer {
    return changingAnswer(compressed(extension, Buffer.from(text)), header)
  }

  private manifest({ url, header }: PageRequest): string {
    const { assets, logo, siteName } = this.options
    const language = languageOf(
      new URL(url, 'http://here.invalid').searchParams.get('lang'),
      undefined,
      header('accept-language'),
    )
    const name = siteName() ?? TEXTS[language].product
    const icon = (file: string, sizes: string) => ({ src: assets.path(file), sizes })
    const icons =
      logo === undefined
        ? [icon('mark.svg', 'any'), icon('icon-192.png', '192x192'), icon('icon-512.png', '512x512')]
        : [icon(nameOfLogo(logo), 'any')]
    return JSON.stringify({
      ...{ name, lang: language, start_url: '/', scope: '/', display: 'minimal-ui' },
      ...{ background_color: '#ffffff', theme_color: '#0b5c66' },
      icons,
    })
  }

  private securityText(): string {
    const { use, security } = this.options
    // Of the day, so that it stays the same for whoever asks again.
    const expires = new Date(Math.floor((use.clock.now() + VALID_MS) / DAY_MS) * DAY_MS)
    return [
      ...security.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      `Preferred-Languages: ${LANGUAGES.join(', ')}`,
      `Canonical: ${use.site.baseUrl}/.well-known/security.txt`,
      '',
    ].join('\n')
  }
}

const robots = ['User-agent: *', ...UNLISTED.map((path) => `Disallow: ${path}`), ''].join('\n')
