import { type Card, type CardSignature, stringConsts } from '@signed-registry/core'
import type { Signature } from '@signed-registry/core/signatures'
import type { Signers } from './job.js'
import { type Said, say } from './said.js'
import { COMMON_NAME, nameOf, ORGANIZATION } from './signature-content.js'
import { texts } from './texts.js'
import type { Words } from './words.js'

/** Purposes of keys that tell in what role their owner signs, and those of them for a role in an organization. */
const ROLES = '1.2.398.3.3.4.1.'
const ROLES_IN_ORGANIZATION = '1.2.398.3.3.4.1.2.'
const GIVEN_NAME = '2.5.4.42'

/** Who signed, for which organization, in what role, and when, by what clock. */
export const signersOf = ({ signatures }: Card, words: Words): Signers => ({
  heading: words.of(texts.signers),
  title: words.of(texts.signers),
  columns: [texts.number, texts.signerColumn, texts.roleColumn, texts.timeColumn].map((text) => words.of(text)),
  rows: signatures.map(({ signature }: CardSignature, n) => ({
    cells: [[String(n + 1)], signer(signature, words), rolesOf(signature, words), time(signature, words)],
  })),
  note: words.each(texts.signersNote).flatMap((run, n) => (n === 0 ? [run] : [{ text: '\n' }, run])),
})

function signer(signature: Signature, words: Words): Said[] {
  const { userId, businessId } = signature
  const name = [nameOf(signature, COMMON_NAME), nameOf(signature, GIVEN_NAME)].filter(Boolean).join(' ')
  const lines: Said[] = [name, say(words.of(texts.iin), ` ${userId.slice(3)}`)]
  if (businessId === undefined) return lines
  const organization = nameOf(signature, ORGANIZATION)
  return [...lines, ...(organization ? [organization] : []), say(words.of(texts.bin), ` ${businessId.slice(3)}`)]
}

/** The most particular roles that the certificate names; at least one line. */
function rolesOf({ extKeyUsages }: Signature, words: Words): Said[] {
  const roles = extKeyUsages.filter((oid) => oid.startsWith(ROLES))
  const particular = roles.filter((oid) => oid.startsWith(ROLES_IN_ORGANIZATION))
  const named = (particular.length > 0 ? particular : roles).map((oid) => words.name(oid, stringConsts.extKeyUsageOIDs))
  return named.length > 0 ? named : ['—']
}

function time({ tsp, storedAt }: Signature, words: Words): Said[] {
  if (tsp === undefined) return [words.time(storedAt), words.of(texts.byRegistry)]
  return [words.time(tsp.timeStamp), words.of(texts.byTimeStamp)]
}
