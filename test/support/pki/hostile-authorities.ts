import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import { certId, type OcspChange, ocspRefusal } from '#dev-authorities/authority/ocsp.js'
import { messageImprint, type TimeStampChange, timeStampRefusal } from '#dev-authorities/authority/time-stamping.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import { PURPOSES } from '#dev-authorities/oids.js'
import { certificateFields } from '#dev-authorities/x509/certificate.js'
import { type Extension, extendedKeyUsage } from '#dev-authorities/x509/extensions.js'
import { DAY } from './authorities.js'
import { impostorAuthorities } from './strangers.js'

/** An authority: the DER of a request to the bytes of an answer. */
export type Answer = (request: Uint8Array) => Buffer

/** What a TSA may say that is not honest, by what is wrong with it; for tokens inside signatures too. */
export function timeStampLies(authorities: DevAuthorities): ReadonlyMap<string, TimeStampChange> {
  const by = (signer: Holder) => ({ signer, certificates: [signer.certificate] })
  const person = authorities.person()
  const responder = jurisdictionOf(authorities, person).responder()
  const withUsage = (purposes: readonly string[], critical: boolean) =>
    by(
      authorities.person({
        extensions: (honest) => [...honest.filter(notUsage), extendedKeyUsage(purposes, critical)],
      }),
    )
  return new Map<string, TimeStampChange>([
    ['signed by a stranger with the same names', () => by(impostorAuthorities().hierarchy.timeStamping)],
    ['signed by an ordinary person of the same CA', () => by(person)],
    ['signed by an OCSP responder', () => by(responder)],
    ['signed by a person whose usage is critical', () => withUsage([PURPOSES.emailProtection], true)],
    ['signed by an authority whose usage is not critical', () => withUsage([PURPOSES.timeStamping], false)],
    [
      'signed by an authority that may do something else too',
      () => withUsage([PURPOSES.timeStamping, PURPOSES.emailProtection], true),
    ],
    ['without the certificate of the authority', () => ({ certificates: [] })],
    ['about other data', () => ({ imprint: messageImprint(Buffer.from('other data'), 'sha256') })],
    ['from the future', ({ genTime }) => ({ genTime: genTime + DAY })],
    ['signed with SHA-1', () => ({ hash: 'sha1' })],
  ])
}

/** Answers of a TSA that must be refused, by what is wrong with them. */
export function hostileTimeStamping(authorities: DevAuthorities): ReadonlyMap<string, Answer> {
  const { tsa } = authorities
  const lie = (change: TimeStampChange) => (request: Uint8Array) => tsa.respond(request, change)
  return new Map<string, Answer>([
    ...[...timeStampLies(authorities)].map(([title, change]) => [title, lie(change)] as const),
    ['with another nonce', lie(() => ({ nonce: Buffer.from('0102030405', 'hex') }))],
    ['without a nonce', lie(() => ({ nonce: undefined }))],
    ['stale', lie(({ genTime }) => ({ genTime: genTime - DAY }))],
    ['replayed', replayed((request) => tsa.respond(request))],
    ['a refusal', () => timeStampRefusal('badAlg')],
    ...noise((request) => tsa.respond(request)),
  ])
}

/** What a responder may say about `subject` that is not honest, by what is wrong with it; for answers inside signatures too. */
export function ocspLies(authorities: DevAuthorities, subject: Subject): ReadonlyMap<string, OcspChange> {
  const by = (responder: Holder) => ({ responder, certificates: [responder.certificate] })
  const sameCa = subject.issuer.equals(authorities.hierarchy.issuing('rsa').certificate) ? 'rsa' : 'ecdsa'
  const other = authorities.person({ issuer: sameCa })
  const foreign = authorities.person({ issuer: sameCa === 'rsa' ? 'ecdsa' : 'rsa' })
  const aboutOther = certId(other.certificate, other.issuer)
  const moved =
    (by: number): OcspChange =>
    ({ answers, producedAt }) => ({
      answers: answers.map((answer) => ({ ...answer, thisUpdate: answer.thisUpdate + by })),
      producedAt: producedAt + by,
    })
  return new Map<string, OcspChange>([
    ['signed by a stranger with the same names', () => by(jurisdictionOf(impostorAuthorities(), subject).responder())],
    ['signed by an ordinary person of the same CA', () => by(other)],
    ['signed by the signer', () => by(subject)],
    ['signed by the TSA', () => by(authorities.hierarchy.timeStamping)],
    ['signed by the responder of another CA', () => by(jurisdictionOf(authorities, foreign).responder())],
    ['without the certificate of the responder', () => ({ certificates: [] })],
    [
      'about another certificate',
      ({ answers }) => ({ answers: answers.map((answer) => ({ ...answer, certId: aboutOther })) }),
    ],
    ['about nothing', () => ({ answers: [] })],
    [
      'revoked',
      ({ answers }) => ({ answers: answers.map((answer) => ({ ...answer, status: revoked(answer.thisUpdate) })) }),
    ],
    ['unknown', ({ answers }) => ({ answers: answers.map((answer) => ({ ...answer, status: 'unknown' })) })],
    [
      'good and revoked',
      ({ answers }) => ({
        answers: answers.flatMap((answer) => [answer, { ...answer, status: revoked(answer.thisUpdate) }]),
      }),
    ],
    ['stale', moved(-DAY)],
    ['from the future', moved(DAY)],
    [
      'outdated by its nextUpdate',
      ({ answers }) => ({
        answers: answers.map((answer) => ({
          ...answer,
          thisUpdate: answer.thisUpdate - DAY,
          nextUpdate: answer.thisUpdate - DAY / 2,
        })),
      }),
    ],
    ['signed with SHA-1', () => ({ hash: 'sha1' })],
  ])
}

/** Answers of a responder, asked about `subject`, that must be refused, by what is wrong with them. */
export function hostileOcsp(authorities: DevAuthorities, subject: Subject): ReadonlyMap<string, Answer> {
  const { ocsp } = authorities
  const lie = (change: OcspChange) => (request: Uint8Array) => ocsp.respond(request, change)
  return new Map<string, Answer>([
    ...[...ocspLies(authorities, subject)].map(([title, change]) => [title, lie(change)] as const),
    ['with another nonce', lie(() => ({ nonce: Buffer.from('04080102030405060708', 'hex') }))],
    ['without a nonce', lie(() => ({ nonce: undefined }))],
    ['replayed', replayed((request) => ocsp.respond(request))],
    ['tryLater', () => ocspRefusal('tryLater')],
    ['unauthorized', () => ocspRefusal('unauthorized')],
    ['malformedRequest', () => ocspRefusal('malformedRequest')],
    ...noise((request) => ocsp.respond(request)),
  ])
}

/** Answers every request with the answer to the first one. */
export function replayed(honest: Answer): Answer {
  let first: Buffer | undefined
  return (request) => {
    first ??= honest(request)
    return first
  }
}

const notUsage = ({ oid }: Extension) => oid !== '2.5.29.37'

const noise = (honest: Answer): [string, Answer][] => [
  ['cut off', (request) => honest(request).subarray(0, -1)],
  ['with trailing bytes', (request) => Buffer.concat([honest(request), Buffer.from([0])])],
  ['rubbish', () => Buffer.from('<html>gateway time-out</html>')],
  ['empty', () => Buffer.alloc(0)],
]

const revoked = (at: number) => ({ serial: Buffer.alloc(1), at: at - DAY, reason: 'keyCompromise' }) as const

/** The CA with the name of the subject's issuer, under authorities of the same names. */
function jurisdictionOf(authorities: DevAuthorities, subject: Subject) {
  const found = authorities.hierarchy
    .jurisdictions()
    .find(({ issuer }) => nameOf(issuer).equals(nameOf(subject.issuer)))
  if (found === undefined) throw new TypeError('The subject has another issuer')
  return found
}

const nameOf = (certificate: Buffer) => certificateFields(certificate).subject
