import type { Injected } from '../kernel/service.js'
import { brandLogo, Site } from '../kernel/site.js'
import { Branding } from '../organizations/index.js'
import { PartyNames } from '../parties/index.js'
import type { Language, Letterhead } from './render-mail.js'

/** Reads letterheads of organizations that have said how they want to be shown. */
export class Letterheads {
  static readonly inject = { branding: Branding, names: PartyNames, site: Site }

  constructor(private readonly use: Injected<typeof Letterheads.inject>) {}

  /** The letterhead in any language; none of an organization that has said nothing. */
  async of(businessId: string | undefined): Promise<(language: Language) => Letterhead | undefined> {
    const branding = businessId === undefined ? undefined : await this.use.branding.of(businessId)
    if (businessId === undefined || branding === undefined) return () => undefined
    const { name, color, logo } = branding
    const certified = name === undefined ? (await this.use.names.of([businessId])).get(businessId) : undefined
    const logoUrl = logo === undefined ? undefined : brandLogo(this.use.site, businessId)
    return (language) => ({ name: name?.[language] ?? certified ?? '', businessId, color, logoUrl })
  }
}
