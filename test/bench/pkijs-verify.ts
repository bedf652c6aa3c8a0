import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24'
const TIME_STAMP = '1.2.840.113549.1.9.16.2.14'

/** Parses a CMS and the evidence inside with pkijs and verifies the three signature values, without any path or rule. */
export async function pkijsVerify(der: Uint8Array, data: Uint8Array): Promise<void> {
  const signed = readSigned(new Uint8Array(der).buffer)
  await requireGood(signed.verify({ signer: 0, data: new Uint8Array(data).buffer }))
  const [info] = signed.signerInfos
  for (const { type, values } of info?.unsignedAttrs?.attributes ?? []) {
    if (type === TIME_STAMP) await verifyToken(values[0], info?.signature.valueBlock.valueHexView ?? new Uint8Array())
    if (type === REVOCATION_VALUES)
      await verifyAnswer(values[0].valueBlock.value[0].valueBlock.value[0].valueBlock.value[0])
  }
}

async function verifyToken(schema: unknown, stamped: Uint8Array): Promise<void> {
  const token = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema }).content })
  await requireGood(token.verify({ signer: 0, data: new Uint8Array(stamped).buffer }))
}

async function verifyAnswer(schema: unknown): Promise<void> {
  const { tbsResponseData, signature, signatureAlgorithm, certs } = new pkijs.BasicOCSPResponse({ schema })
  const [responder] = certs ?? []
  if (responder === undefined) throw new Error('The answer carries no certificate')
  const { subjectPublicKeyInfo } = responder
  const data = tbsResponseData.tbsView
  await requireGood(
    pkijs.getCrypto(true).verifyWithPublicKey(data, signature, subjectPublicKeyInfo, signatureAlgorithm),
  )
}

function readSigned(buffer: ArrayBuffer): pkijs.SignedData {
  const { result } = asn1js.fromBER(buffer)
  return new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: result }).content })
}

async function requireGood(verdict: Promise<unknown>): Promise<void> {
  if ((await verdict) !== true) throw new Error('pkijs did not verify the signature')
}
