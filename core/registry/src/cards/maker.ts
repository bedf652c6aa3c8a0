import type { DocumentRecord } from '../documents/index.js'
import { anonymous, type Caller, organizationOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import {
  Branding,
  type ClientCertificateSettings,
  OrganizationStore,
  type ShownBranding,
  sameKey,
} from '../organizations/index.js'
import type { Card, CardMaker } from './ports.js'

/**
 * Tells in whose name a card is made: that of the calling system, else of the system that registered the document, or of the
 * organization for which it was signed first. The settings of a system go before those of its organization.
 */
export class CardMakers {
  static readonly inject = { organizations: OrganizationStore, branding: Branding, site: Site }

  constructor(private readonly use: Injected<typeof CardMakers.inject>) {}

  async of(caller: Caller, document: Registered, signatures: Card['signatures']): Promise<CardMaker> {
    const { registrator } = document
    const presented = caller.kind === 'system' ? caller.certificate : undefined
    const bin = presented === undefined ? registrator?.bin : organizationOf(caller)
    const certificate = presented === undefined ? registrator?.certificate : Buffer.from(presented, 'base64')
    const settings = bin === undefined || certificate === undefined ? undefined : await this.settings(bin, certificate)
    const organization = bin ?? firstOrganization(signatures)
    const branding = organization === undefined ? undefined : await this.use.branding.of(organization)
    return makerBy(this.use.site, settings, branding)
  }

  /** All in whose name a card of the document may have been made, as far as is still known, without duplicates. */
  async all(caller: Caller, document: Registered, signatures: Card['signatures']): Promise<readonly CardMaker[]> {
    const makers = [
      await this.of(anonymous, document, signatures),
      await this.of(caller, document, signatures),
      makerBy(this.use.site),
    ]
    return [...new Map(makers.map((maker) => [JSON.stringify(maker), maker])).values()]
  }

  private async settings(bin: string, certificate: Uint8Array): Promise<ClientCertificateSettings | undefined> {
    const { tlsCertificatesList } = await this.use.organizations.get(bin)
    return tlsCertificatesList.find(({ body }) => sameKey(body, certificate))?.settings
  }
}

type Registered = Pick<DocumentRecord, 'registrator'>

/** BIN of the organization for which the document was signed first. */
function firstOrganization(signatures: Card['signatures']): string | undefined {
  const [first] = signatures.map(({ signature }) => signature).sort((one, other) => one.signId - other.signId)
  return first?.businessId
}

function makerBy({ name }: Site, settings: ClientCertificateSettings = {}, branding: ShownBranding = {}): CardMaker {
  const { ddcLogo, ddcLogoDisable, ddcLogoString, ddcHowToVerifyStrings } = settings
  const own = ddcLogo === undefined ? undefined : Buffer.from(ddcLogo, 'base64')
  const logo = ddcLogoDisable === true ? undefined : (own ?? branding.logo)
  const { name: organization, color } = branding
  const hasLetterhead = organization !== undefined || color !== undefined
  return {
    service: name,
    ...(logo && { logo }),
    ...(logo && logo === own && { logoCaption: ddcLogoString }),
    ...(ddcHowToVerifyStrings && { howToVerify: ddcHowToVerifyStrings }),
    ...(hasLetterhead && { letterhead: { name: organization, color } }),
  }
}
