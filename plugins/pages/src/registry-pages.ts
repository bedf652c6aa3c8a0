import { type PageAnswer, type PageRequest, RegistryError, type WebPages } from '@signed-registry/core'
import { assetAnswer, changingAnswer, downloadAnswer, htmlAnswer } from './answers.js'
import { Assets, nameOfLogo } from './assets.js'
import { BRAND_FILES, brandAnswer } from './brands.js'
import { CheckTrust } from './check-trust.js'
import { personName } from './formats.js'
import { choiceCookie, keptChoice } from './kept-choice.js'
import { isLanguage, languageOf, TEXTS } from './language.js'
import type { Operations } from './operations.js'
import { OperatorTexts } from './operator-texts.js'
import { failurePage } from './pages/failure.js'
import { PAGES } from './pages.js'
import { chosenScheme, keptScheme } from './scheme.js'
import { SiteFiles } from './site-files.js'
import { layout } from './views/layout.js'
import type { Operator, Shown, Visit } from './visit.js'

const ASSETS = '/assets/:version/*'
/** Files to keep, under addresses that stay: the page that checks without a network, and its SHA-256. */
const DOWNLOADS = ['/check-offline.html', '/check-offline.html.sha256']
/** Whom the registry trusts, for what /check judges in the browser. */
const CHECK_TRUST = '/check-trust.json'

/** How the pages of one registry look. */
export interface Look {
  /** Path of a logo, SVG or PNG. */
  readonly logo?: string
  /** Path of a style sheet that is loaded after ours, to override its variables. */
  readonly style?: string
  /** Path of a folder with texts of the operator. */
  readonly texts?: string
  /** Where to report vulnerabilities. */
  readonly securityContacts?: readonly string[]
  readonly development?: boolean
}

/** The pages of a registry. */
export class RegistryPages implements WebPages {
  readonly addresses = Object.keys(PAGES)
  readonly files: readonly string[]
  private readonly assets: Assets
  private readonly logo: string
  private readonly checkTrust: CheckTrust
  private readonly siteFiles: SiteFiles
  private readonly operator: Operator

  constructor(
    private readonly look: Look,
    private readonly use: Operations,
  ) {
    this.assets = new Assets({ logo: look.logo, style: look.style })
    this.checkTrust = new CheckTrust(use)
    this.logo = this.assets.path(look.logo === undefined ? 'mark.svg' : nameOfLogo(look.logo))
    const { securityContacts: security = [] } = look
    this.operator = { texts: new OperatorTexts(look.texts), security }
    const siteName = () => this.siteName()
    this.siteFiles = new SiteFiles({ assets: this.assets, logo: look.logo, security, use, siteName })
    this.files = [ASSETS, ...DOWNLOADS, CHECK_TRUST, ...BRAND_FILES, ...this.siteFiles.addresses]
  }

  async answer(request: PageRequest): Promise<PageAnswer> {
    if (request.address === ASSETS) {
      const { version = '', '*': name = '' } = request.params
      return assetAnswer(this.assets.find(version, name), request.header)
    }
    if (DOWNLOADS.includes(request.address)) {
      const name = request.address.slice(1)
      return downloadAnswer(this.assets.named(name), name, request.header)
    }
    if (request.address === CHECK_TRUST) return changingAnswer(this.checkTrust.file(), request.header)
    if (BRAND_FILES.includes(request.address)) return brandAnswer(request, this.use)
    const file = this.siteFiles.answer(request)
    if (file !== undefined) return file
    const visit = this.visit(request)
    try {
      const shown = await PAGES[request.address]?.(visit)
      if (shown === undefined) throw new Error(`There is no page ${request.address}`)
      if ('location' in shown)
        return { status: 303, headers: { location: shown.location, 'cache-control': 'no-store' }, body: '' }
      return await this.show(visit, shown, request)
    } catch (error) {
      if (error instanceof RegistryError && error.kind !== 'unexpected') return this.failure(request, error)
      throw error
    }
  }

  async failure(request: PageRequest, error: unknown): Promise<PageAnswer> {
    const visit = this.visit(request)
    return this.show(visit, await failurePage(visit, error), request)
  }

  private visit(request: PageRequest): Visit {
    const { address, params, url, caller, header } = request
    const { searchParams: query, pathname } = new URL(url, 'http://here.invalid')
    const language = languageOf(query.get('lang'), keptChoice('lang', request), header('accept-language'))
    const scheme = chosenScheme(query) ?? keptScheme(keptChoice('scheme', request))
    for (const choice of ['lang', 'scheme']) query.delete(choice)
    const rest = query.toString()
    return {
      caller,
      language,
      scheme,
      texts: TEXTS[language],
      address,
      params,
      query,
      url: rest === '' ? pathname : `${pathname}?${rest}`,
      use: this.use,
      operator: this.operator,
      development: this.look.development ?? false,
    }
  }

  private async show(visit: Visit, shown: Shown, request: PageRequest): Promise<PageAnswer> {
    const { url, header } = request
    const { assets, look } = this
    const [visitorName, mayManage] = await Promise.all([
      this.visitorName(visit),
      this.use.getOrganizationSettings.admits(visit.caller),
    ])
    const html = layout(
      visit,
      {
        siteName: this.siteName(),
        logo: this.logo,
        touchIcon: look.logo === undefined ? assets.path('apple-touch-icon.png') : undefined,
        picture: this.use.site.baseUrl + assets.path('icon-512.png'),
        styles: [assets.path('pages.css'), ...(look.style === undefined ? [] : [assets.path('theme.css')])],
        dark: assets.path('dark.css'),
        withoutScript: assets.path('noscript.css'),
        script: (name) => assets.path(`${name}.js`),
        visitorName,
        mayManage,
      },
      shown,
    )
    const { searchParams } = new URL(url, 'http://here.invalid')
    const chosen = searchParams.get('lang')
    const scheme = chosenScheme(searchParams)
    const answer = {
      html,
      status: shown.status ?? 200,
      needs: shown.needs ?? 'nothing',
      isUnlisted: shown.unlisted ?? false,
      isPublic: (shown.isPublic ?? false) && visit.caller.kind === 'anonymous',
      language: visit.language,
      cookie: isLanguage(chosen)
        ? choiceCookie('lang', chosen, request)
        : scheme && choiceCookie('scheme', scheme, request),
    }
    return htmlAnswer(answer, header)
  }

  /** The name that the operator configured; the default, the host name, is not shown. */
  private siteName(): string | undefined {
    const { name, baseUrl } = this.use.site
    return name === new URL(baseUrl).host ? undefined : name
  }

  private async visitorName({ caller, use }: Visit): Promise<string | undefined> {
    if (caller.kind !== 'person' && caller.kind !== 'employee') return undefined
    try {
      const { subjectStructure } = await use.getAuthentication.execute(caller)
      return personName(subjectStructure) || undefined
    } catch (error) {
      if (error instanceof RegistryError) return undefined
      throw error
    }
  }
}
