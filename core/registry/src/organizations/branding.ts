import { checkLength } from '../kernel/field-length.js'
import type { Injected } from '../kernel/service.js'
import { checkLogo } from './client-certificates.js'
import { OrganizationStore } from './organization-store.js'
import type { OrganizationBranding } from './schema.js'

/** The logo, the colour and the name that an organization wants to be shown by. */
export interface ShownBranding {
  /** PNG of at most 200x100 pixels and 64 KiB. */
  readonly logo?: Uint8Array
  /** `#rrggbb`, in lower case. */
  readonly color?: string
  readonly name?: Readonly<Record<'ru' | 'kk' | 'en', string>>
}

/** Reads how organizations want to be shown, which everybody may know. */
export class Branding {
  static readonly inject = { organizations: OrganizationStore }

  constructor(private readonly use: Injected<typeof Branding.inject>) {}

  /** What an organization has said; `undefined` where it has said nothing. */
  async of(businessId: string): Promise<ShownBranding | undefined> {
    const branding = await this.use.organizations.brandingOf(businessId)
    if (branding === undefined) return undefined
    const { logo, ...others } = branding
    return logo === undefined ? others : { ...others, logo: Buffer.from(logo, 'base64') }
  }
}

/** Checks what an organization says of its looks, field by field, so that unknown fields are not stored. */
export function readBranding({ logo, color, name }: OrganizationBranding, maxName: number): OrganizationBranding {
  const read: OrganizationBranding = {}
  if (logo !== undefined) {
    checkLogo('branding', logo, 'branding.logo')
    read.logo = logo
  }
  if (color !== undefined) read.color = color.toLowerCase()
  if (name !== undefined) {
    const { ru, kk, en } = name
    read.name = { ru, kk, en }
    for (const [language, text] of Object.entries(read.name)) checkLength(`branding.name.${language}`, text, maxName)
  }
  return read
}
