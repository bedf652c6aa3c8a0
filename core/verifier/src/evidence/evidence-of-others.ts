import { digest } from '../algorithms/digest.js'
import { LONGEST_CMS } from '../cms/read-cms.js'
import { readSignedData } from '../cms/signed-data.js'
import { readTstInfo } from '../cms/tst-info.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import type { ReadSignature } from '../signature.js'
import { readAnswer } from '../status/ocsp-answer.js'
import { Crl } from '../x509/crl.js'
import type { OpenSignature } from './open-evidence.js'

/** What tells whether evidence is that of a signature. */
export type SignatureRead = Pick<ReadSignature, 'timeStamp' | 'signatureValue' | 'signer' | 'signType' | 'carried'>

/**
 * The files of a bundle with evidence that is not that of the signature that they are named for. A CMS for the long term
 * carries the same evidence and is proved by that, so that no verdict on it tells.
 */
export function evidenceOfOthers(
  { statement, signed, stamped, timeStamp, ocsp, crls }: Omit<OpenSignature, 'log' | 'record'>,
  read: SignatureRead,
): string[] {
  const due = read.timeStamp?.imprinted ?? read.signatureValue
  const isOwn = read.signType === 'cms' ? carriedBy(read, [signed, ...crls]) : aboutXml(read, due)
  const files: (string | undefined)[] = [
    isSame(due, stamped) ? undefined : statement.stamped,
    holds(() => isOwn.timeStamp(timeStamp)) ? undefined : statement.timeStamp,
    ocsp === undefined || holds(() => isOwn.ocsp(ocsp)) ? undefined : statement.ocsp,
    ...crls.map((crl, index) => (holds(() => isOwn.crl(crl)) ? undefined : statement.crls?.[index])),
  ]
  return files.filter((file) => file !== undefined)
}

type Judge = (octets: Uint8Array) => boolean

interface Judges {
  readonly timeStamp: Judge
  readonly ocsp: Judge
  readonly crl: Judge
}

/** Whether a CMS carries a piece of evidence; CRLs with all of which it would be too long to be read stand beside it alone. */
const carriedBy = ({ carried }: SignatureRead, withCrls: readonly Uint8Array[]): Judges => ({
  timeStamp: (token) => carried.timeStamps.some((one) => isSame(one.token, token)),
  ocsp: (answer) => {
    const { response } = readAnswer(answer)
    return carried.answers.some((one) => holds(() => isSame(readAnswer(one).response, response)))
  },
  crl: (crl) => carried.crls.some((one) => isSame(one, crl)) || (octetsOf(withCrls) > LONGEST_CMS && isCrl(crl)),
})

const octetsOf = (all: readonly Uint8Array[]): number => all.reduce((sum, { length }) => sum + length, 0)

/** Whether a piece of evidence is about an XML signature, which need not carry it. */
const aboutXml = ({ signer }: SignatureRead, stamped: Uint8Array): Judges => ({
  timeStamp: (token) => {
    const { content = new Uint8Array() } = readSignedData(token)
    const { digestOid, value } = readTstInfo(content).imprint
    return isSame(digest(digestOid, stamped), value)
  },
  ocsp: (answer) =>
    readAnswer(answer).basic.responses.some(({ certId }) => isSame(certId.serialBytes, signer.serialBytes)),
  crl: isCrl,
})

const isCrl = (octets: Uint8Array): boolean => Crl.parse(octets).der.length > 0

/** Whether something is so; not of what cannot be read. */
function holds(judge: () => boolean): boolean {
  try {
    return judge()
  } catch (error) {
    if (error instanceof DerError || error instanceof RegistryError) return false
    throw error
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
