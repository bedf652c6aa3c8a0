import { digits } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Shown, Visit } from '../visit.js'

/** The looks of the organization that a document comes from: its band above the page, and the sheet with its colours. */
export interface Brand extends Pick<Shown, 'styles'> {
  readonly band: Html
}

const NONE: Brand = { band: nothing }

/** The band of an organization: logo, name and, since anybody may call themselves anything, its BIN. */
export async function brandOf({ use, language, texts }: Visit, businessId: string | undefined): Promise<Brand> {
  const branding = businessId === undefined ? undefined : await use.branding.of(businessId)
  if (businessId === undefined || branding === undefined) return NONE
  const { logo, color, name } = branding
  const picture = html`<img src="/brand/${businessId}/logo.png" alt="">`
  return {
    ...(color !== undefined && { styles: [`/brand/${businessId}/colors.css`] }),
    band: html`<p class="brand-band">${logo === undefined ? nothing : picture}<span>${name === undefined ? nothing : html`<strong><bdi>${name[language]}</bdi></strong> `}<small>${texts.signature.bin} ${digits(businessId)}</small></span></p>`,
  }
}
