import { make, own } from './dom.js'
import type { ShownSignature } from './shown-signature.js'
import { verdictTexts as texts } from './verdict-texts.js'

/** The holder of the certificate: name, numbers, organization, and who issued it. */
export function signer({ signer: holder }: ShownSignature): HTMLElement[] {
  if (holder === undefined) return [make('h3', {}, texts.unknownSigner)]
  const { userId, businessId, subjectStructure, subject, issuerStructure, issuer } = holder
  const name = [part(subjectStructure, 'CN'), part(subjectStructure, 'GIVENNAME')].filter(Boolean).join(' ')
  const person = userId === undefined ? '' : `${texts.iin} ${digits(userId)}`
  const organization =
    businessId === undefined ? texts.person : `${part(subjectStructure, 'O')}, ${texts.bin} ${digits(businessId)}`
  return [
    make('h3', {}, own(name || subject)),
    make('p', { class: 'signer' }, own([organization, person].filter(Boolean).join(', '))),
    make('p', { class: 'hint' }, `${texts.issuedBy}: `, own(part(issuerStructure, 'CN') || issuer)),
  ]
}

type Name = NonNullable<ShownSignature['signer']>['subjectStructure']

/** An attribute of a name, or the empty string. */
export const part = (name: Name, type: string): string =>
  name.flat().find((attribute) => attribute.name === type && !attribute.valueInB64)?.value ?? ''

const digits = (id: string): string => id.replace(/^(IIN|BIN)/, '')
