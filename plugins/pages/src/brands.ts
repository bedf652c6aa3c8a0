import type { PageAnswer, PageRequest } from '@signed-registry/core'
import { storedAnswer } from './answers.js'
import { inkOn } from './ink.js'
import type { Operations } from './operations.js'

/** Logo and colours of an organization: from this site, as the policy of pages asks. */
export const BRAND_FILES = ['/brand/:businessId/logo.png', '/brand/:businessId/colors.css']

const BIN = /^BIN\d{12}$/

/** Answers the files of an organization's looks, which change with its settings. */
export async function brandAnswer(
  { address, params, header }: PageRequest,
  { branding }: Pick<Operations, 'branding'>,
): Promise<PageAnswer> {
  const { businessId = '' } = params
  const found = BIN.test(businessId) ? await branding.of(businessId) : undefined
  if (address === BRAND_FILES[0]) return storedAnswer('image/png', found?.logo, header)
  return storedAnswer('text/css; charset=utf-8', found?.color === undefined ? undefined : sheet(found.color), header)
}

const sheet = (color: string): Uint8Array => Buffer.from(`:root{--brand:${color};--brand-ink:${inkOn(color)}}\n`)
