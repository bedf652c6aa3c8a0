import { type Card, type CardSignature, stringConsts } from '@signed-registry/core'
import type { Signature } from '@signed-registry/core/signatures'
import type { AttachedFile, Fact, SignaturePage } from './job.js'
import { plain, type Said, say, sayWith } from './said.js'
import { type CardText, texts } from './texts.js'
import type { Words } from './words.js'

const CODES = { version: 25, level: 'M' } as const

/** An attribute of the subject of a signature's certificate. */
export const nameOf = ({ subjectStructure, subject }: Signature, oid: string) =>
  subjectStructure.flat().find((attribute) => attribute.oid === oid)?.value ?? (oid === COMMON_NAME ? subject : '')
export const COMMON_NAME = '2.5.4.3'
export const ORGANIZATION = '2.5.4.10'

/** The file of a signature. */
export const signatureFile = ({ signature, cms }: CardSignature, n: number, words: Words): AttachedFile => ({
  name: `${n + 1}.cms`,
  note: say(words.of(texts.signatureOf), ', ', nameOf(signature, COMMON_NAME)),
  mime: 'application/pkcs7-signature',
  bytes: cms,
})

/** What the pages of a signature show. */
export function signaturePage({ signature, cms }: CardSignature, n: number, card: Card, words: Words): SignaturePage {
  const { tsp, ocsp, userId, businessId, signId, signType } = signature
  const label = (text: CardText, value: Said): Fact => ({ label: words.of(text), value })
  const organization = nameOf(signature, ORGANIZATION)
  const title = sayWith(
    ' / ',
    words.each(texts.signature).map((run) => [{ ...run, text: `${run.text}${n + 1}` }]),
  )
  const usages = [
    ...signature.keyUsages.map((usage) => named(words.name(usage, stringConsts.keyUsages), usage)),
    ...signature.extKeyUsages.map((oid) => named(words.name(oid, stringConsts.extKeyUsageOIDs), oid)),
  ]
  return {
    heading: words.of(texts.signaturePage),
    title,
    bookmark: `${plain(title)}, ${nameOf(signature, COMMON_NAME)}`,
    facts: [
      label(texts.signedOn, words.time(tsp?.timeStamp ?? signature.storedAt)),
      label(texts.signer, say(nameOf(signature, COMMON_NAME), ', ', words.of(texts.iin), ` ${userId.slice(3)}`)),
      ...(businessId === undefined
        ? []
        : [label(texts.organization, say(organization, ', ', words.of(texts.bin), ` ${businessId.slice(3)}`))]),
      label(
        texts.policies,
        sayWith(
          '\n',
          signature.policyIds.map((oid) => named(words.name(oid, stringConsts.policyOIDs), oid)),
        ),
      ),
      label(texts.usages, sayWith('\n', usages)),
      label(
        texts.algorithm,
        named(words.name(signature.signAlgorithm, stringConsts.signatureAlgorithmOIDs), signature.signAlgorithm),
      ),
    ],
    boxes: [
      {
        title: words.of(texts.certificate),
        facts: [
          label(texts.subject, signature.subject),
          ...(signature.subjectAltName === undefined ? [] : [label(texts.altName, signature.subjectAltName)]),
          label(texts.serialNumber, signature.serialNumber),
          label(texts.from, words.time(signature.from)),
          label(texts.until, words.time(signature.until)),
          label(texts.issuer, signature.issuer),
        ],
      },
      ...(tsp === undefined
        ? []
        : [evidence(words.of(texts.timeStamp), tsp, label(texts.at, words.time(tsp.timeStamp)), label)]),
      ocsp === undefined
        ? { title: words.of(texts.status), facts: [label(texts.status, words.of(texts.statusByCrl))] }
        : evidence(
            words.of(texts.status),
            ocsp,
            label(
              texts.at,
              say(words.time(ocsp.thisUpdate), ', ', explained(words.of(texts.statusGood), ocsp.certStatus)),
            ),
            label,
          ),
    ],
    codes: card.showsCodes ? { ...codeIds(card, signId, n), signType, signature: cms, ...CODES } : undefined,
    codesTitle: `${words.first(texts.codes)}, ${words.first(texts.signature)}${n + 1}`,
  }
}

/** The identifiers in QR codes: those of the registry, or the position in the card where the card hides the identifier. */
const codeIds = ({ documentId, showsId }: Card, signId: number, n: number) =>
  showsId ? { documentId, signId } : { signId: n + 1 }

/** A standard's term after its explanation, unless they are equal. */
const explained = (meaning: Said, word: string): Said => (plain(meaning) === word ? word : named(meaning, word))

/** A name, and what it is the name of. */
const named = (name: Said, id: string): Said => say(name, ` (${id})`)

/** An authority's answer and the certificate that signed it. */
const evidence = (
  title: Said,
  { subject, serialNumber, issuer }: { subject: string; serialNumber: string; issuer: string },
  when: Fact,
  label: (text: CardText, value: Said) => Fact,
) => ({
  title,
  facts: [when, label(texts.subject, subject), label(texts.serialNumber, serialNumber), label(texts.issuer, issuer)],
})
