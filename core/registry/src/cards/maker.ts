import type { DocumentRecord } from '../documents/index.js'
import { anonymous, type Caller, organizationOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { type ClientCertificateSettings, OrganizationStore, sameKey } from '../organizations/index.js'
import type { CardMaker } from './ports.js'

/** Tells in whose name a card is made: that of the calling system, else of the system that registered the document. */
export class CardMakers {
  static readonly inject = { organizations: OrganizationStore, site: Site }

  constructor(private readonly use: Injected<typeof CardMakers.inject>) {}

  async of(caller: Caller, { registrator }: Pick<DocumentRecord, 'registrator'>): Promise<CardMaker> {
    const presented = caller.kind === 'system' ? caller.certificate : undefined
    const bin = presented === undefined ? registrator?.bin : organizationOf(caller)
    const certificate = presented === undefined ? registrator?.certificate : Buffer.from(presented, 'base64')
    const settings = bin === undefined || certificate === undefined ? undefined : await this.settings(bin, certificate)
    return makerBy(this.use.site, settings)
  }

  /** All in whose name a card of the document may have been made, as far as is still known, without duplicates. */
  async all(caller: Caller, document: Pick<DocumentRecord, 'registrator'>): Promise<readonly CardMaker[]> {
    const makers = [
      await this.of(anonymous, document),
      await this.of(caller, document),
      makerBy(this.use.site, undefined),
    ]
    return [...new Map(makers.map((maker) => [JSON.stringify(maker), maker])).values()]
  }

  private async settings(bin: string, certificate: Uint8Array): Promise<ClientCertificateSettings | undefined> {
    const { tlsCertificatesList } = await this.use.organizations.get(bin)
    return tlsCertificatesList.find(({ body }) => sameKey(body, certificate))?.settings
  }
}

const makerBy = ({ name }: Site, settings: ClientCertificateSettings = {}): CardMaker => {
  const { ddcLogo, ddcLogoDisable, ddcLogoString, ddcHowToVerifyStrings } = settings
  const hasLogo = ddcLogo !== undefined && ddcLogoDisable !== true
  return {
    service: name,
    ...(hasLogo && { logo: Buffer.from(ddcLogo, 'base64'), logoCaption: ddcLogoString }),
    ...(ddcHowToVerifyStrings && { howToVerify: ddcHowToVerifyStrings }),
  }
}
