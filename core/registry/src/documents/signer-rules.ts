import { certificationAuthorities } from '../identity/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import { documentErrors } from './errors.js'
import type { DocumentSettings } from './schema.js'
import type { SignatureStore } from './signature-store.js'

const COMMON_NAME = '2.5.4.3'

type Requirement = NonNullable<DocumentSettings['signersRequirements']>[number]

/**
 * Refuses a signature that the settings of its document do not allow: limit, uniqueness, requirements to signers.
 * The document must be locked, so that what is counted stays true.
 */
export async function assertMaySign(
  facts: SignatureFacts,
  document: DocumentRecord,
  signatures: SignatureStore,
): Promise<void> {
  const { id, settings, signaturesTotal } = document
  const { signaturesLimit = 0, unique = [] } = settings
  if (signaturesLimit > 0 && signaturesTotal >= signaturesLimit) {
    throw documentErrors.error('signaturesLimitReached', { limit: signaturesLimit })
  }
  if (unique.includes('iin') && (await signatures.signedByPerson(id, facts.userId))) throw refused('unique', 'iin')
  if (unique.includes('bin') && facts.businessId && (await signatures.signedByOrganization(id, facts.businessId))) {
    throw refused('unique', 'bin')
  }
  assertMeetsRequirements(facts, settings, signaturesTotal)
}

/** Refuses a signer who meets none of the requirements, or not the one in turn; `before` counts earlier signatures. */
export function assertMeetsRequirements(facts: SignatureFacts, settings: DocumentSettings, before: number): void {
  const {
    signersRequirements = [],
    strictSignersRequirements = false,
    sequentialSignersRequirements = false,
  } = settings
  if (signersRequirements.length === 0) return
  if (before === 0 && !strictSignersRequirements) return
  const inTurn = sequentialSignersRequirements ? signersRequirements.slice(before, before + 1) : signersRequirements
  if (!inTurn.some((requirement) => meets(facts, requirement))) throw refused('signersRequirements')
}

function meets(facts: SignatureFacts, { iin, bin, authorities, ca }: Requirement): boolean {
  return (
    (iin === undefined || iin === facts.userId) &&
    (bin === undefined || bin === facts.businessId) &&
    (authorities === undefined || authorities.some((oid) => facts.extKeyUsages.includes(oid))) &&
    (ca === undefined || isIssuedBy(facts, ca))
  )
}

function isIssuedBy({ issuerStructure }: SignatureFacts, ca: string): boolean {
  const names = issuerStructure.flat().filter(({ oid }) => oid === COMMON_NAME)
  const known = certificationAuthorities[ca]?.commonNames ?? []
  return names.some(({ value }) => known.some((name) => value.startsWith(name)))
}

const refused = (setting: string, value?: string) =>
  documentErrors.error('signatureDoesNotConform', { setting, ...(value && { value }) })
