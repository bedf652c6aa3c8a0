import type { Registrator } from '../documents/index.js'
import { type Caller, organizationOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { OrganizationStore, sameKey } from '../organizations/index.js'

import type { AppOrganisation } from './schema.js'

/** Who asks for a signature, as the app shows it. */
export interface Asking {
  readonly organisation: AppOrganisation
  /** PNG for the middle of the code. */
  readonly logo: Uint8Array | undefined
}

/** Without a name: a stranger's request must not look like one of this service. */
const stranger: Asking = {
  organisation: {
    nameRu: 'Непроверенный отправитель',
    nameKz: 'Тексерілмеген жіберуші',
    nameEn: 'Unverified sender',
    bin: '',
  },
  logo: undefined,
}

/** Prefixes a stranger's text with a warning, where the app shows only the name of a relay. */
export const strangersWords = (description: string): string => {
  const { nameRu, nameKz, nameEn } = stranger.organisation
  return `${nameRu} / ${nameKz} / ${nameEn}: ${description}`
}

/** Finds the organization that the app shows: by the certificate of the calling system, else of the one that registered. */
export class AskingOrganizations {
  static readonly inject = { organizations: OrganizationStore, site: Site }

  constructor(private readonly use: Injected<typeof AskingOrganizations.inject>) {}

  /** For a caller's own data: whoever acts for no organization is shown as a stranger. */
  async ofData(caller: Caller): Promise<Asking> {
    return organizationOf(caller) === undefined ? stranger : this.of(caller)
  }

  async of(caller: Caller, registrator?: Registrator): Promise<Asking> {
    const own = caller.kind === 'system' ? Buffer.from(caller.certificate, 'base64') : undefined
    const bin = organizationOf(caller) ?? registrator?.bin
    const certificate = own ?? (registrator?.bin === bin ? registrator?.certificate : undefined)
    const list = bin === undefined ? [] : (await this.use.organizations.get(bin)).tlsCertificatesList
    const { qrOrganisationName: name, qrLogo } =
      list.find(({ body }) => certificate !== undefined && certificate.length > 0 && sameKey(body, certificate))
        ?.settings ?? {}
    const service = this.use.site.name
    return {
      organisation: {
        nameRu: name?.ru ?? service,
        nameKz: name?.kk ?? service,
        nameEn: name?.en ?? service,
        bin: bin?.replace(/^BIN/, '') ?? '',
      },
      logo: qrLogo === undefined ? undefined : Buffer.from(qrLogo, 'base64'),
    }
  }
}
