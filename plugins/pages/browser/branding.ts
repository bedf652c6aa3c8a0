import type { SaveOrganizationSettingsRequest } from '@signed-registry/client'
import { client, Told } from './api.js'
import { toBase64 } from './bytes.js'
import { textIn } from './recipient.js'
import { texts } from './texts.js'

/** Saves how the organization is shown; a logo stays until another one comes or it is taken away. */
export async function saveBranding(form: FormData): Promise<void> {
  const [kk, ru, en] = [textIn(form, 'name-kk'), textIn(form, 'name-ru'), textIn(form, 'name-en')]
  const given = [kk, ru, en].filter((name) => name !== '').length
  if (given > 0 && given < 3) throw new Told(texts.nameInAll)
  const logo = await logoIn(form)
  const branding: NonNullable<SaveOrganizationSettingsRequest['branding']> = {
    ...(logo !== undefined && { logo }),
    ...(form.has('withColor') && { color: textIn(form, 'color') }),
    ...(given === 3 && { name: { kk, ru, en } }),
  }
  await client.saveOrganizationSettings({ request: { branding } })
}

async function logoIn(form: FormData): Promise<string | undefined> {
  const file = form.get('logo')
  if (file instanceof File && file.size > 0) return toBase64(new Uint8Array(await file.arrayBuffer()))
  return form.has('withoutLogo') ? undefined : (await client.getOrganizationSettings()).branding?.logo
}
