import { organizationErrors } from './errors.js'
import { checkPng, PngError, type PngSize } from './png.js'

const MOST_BYTES = 64 * 1024
const MOST_BASE64 = Math.ceil(MOST_BYTES / 3) * 4

const ALLOWED: Readonly<Record<'qrLogo' | 'ddcLogo', (size: PngSize) => boolean>> = {
  qrLogo: ({ width, height }) => width <= 102 && height <= 102,
  ddcLogo: ({ width, height }) => width === 200 && height === 100,
}

/** Refuses a logo that is too large, no PNG image, or not of the size that its kind must have; details name the field. */
export function checkLogo(kind: 'qrLogo' | 'ddcLogo', base64: string, field: string = kind): void {
  if (base64.length > MOST_BASE64) throw organizationErrors.error('invalidLogoSize', { field, limit: MOST_BYTES })
  const png = Buffer.from(base64, 'base64')
  if (png.toString('base64') !== base64)
    throw organizationErrors.error('invalidLogoFormat', { field, reason: 'base64' })
  try {
    checkPng(png, (size) => {
      if (ALLOWED[kind](size)) return
      throw organizationErrors.error('invalidLogoResolution', { field, width: size.width, height: size.height })
    })
  } catch (error) {
    if (!(error instanceof PngError)) throw error
    throw organizationErrors.error('invalidLogoFormat', { field, reason: 'png' }, error)
  }
}
