import { Certificate, digestAlgorithm, evidenceFields, type ReadSignature } from '@signed-registry/verifier'

type Scheme = ReadSignature['scheme']

/** A parsed signature that can be posted between threads: certificates as DER, digest algorithms by OID. */
export interface CarriedSignature extends Omit<ReadSignature, 'signer' | 'certificates' | 'scheme' | 'timeStamp'> {
  readonly signer: Uint8Array
  readonly certificates: readonly Uint8Array[]
  readonly scheme: Omit<Scheme, 'digest' | 'pss'> & {
    readonly digest: string
    readonly pss?: { readonly digest: string; readonly mgfDigest: string; readonly saltLength: number }
  }
}

/** Copies a signature out of the bytes it was parsed from, into buffers that can be transferred. */
export function carry(read: ReadSignature): { carried: CarriedSignature; buffers: readonly ArrayBuffer[] } {
  const buffers: ArrayBuffer[] = []
  const own = (bytes: Uint8Array): Uint8Array => {
    const copy = Uint8Array.from(bytes)
    buffers.push(copy.buffer)
    return copy
  }
  const { timeStamp: _, ocsp, content, carried: evidence, ...rest } = read
  const { digest, pss, ...scheme } = read.scheme
  const carried = {
    ...rest,
    kept: own(read.kept),
    signer: own(read.signer.der),
    certificates: read.certificates.map(({ der }) => own(der)),
    scheme: {
      ...scheme,
      digest: digest.oid,
      ...(pss && { pss: { ...pss, digest: pss.digest.oid, mgfDigest: pss.mgfDigest.oid } }),
    },
    digests: read.digests.map((signed) => ({ ...signed, value: own(signed.value) })),
    signatureValue: own(read.signatureValue),
    fingerprint: own(read.fingerprint),
    content: content && own(content),
    ocsp: ocsp && own(ocsp),
    carried: {
      timeStamps: evidence.timeStamps.map(({ token, imprinted }) => ({ token: own(token), imprinted: own(imprinted) })),
      contentTimeStamps: evidence.contentTimeStamps.map(own),
      answers: evidence.answers.map(own),
      crls: evidence.crls.map(own),
      unused: evidence.unused,
    },
  }
  return { carried, buffers }
}

/** Restores a signature from its posted form. */
export function received({ signer, certificates, scheme, ...carried }: CarriedSignature): ReadSignature {
  const { pss, digest, ...rest } = scheme
  return {
    ...carried,
    ...evidenceFields(carried.carried, carried.ocsp),
    signer: Certificate.parse(signer),
    certificates: certificates.map((der) => Certificate.parse(der)),
    scheme: {
      ...rest,
      digest: digestAlgorithm(digest),
      ...(pss && {
        pss: { ...pss, digest: digestAlgorithm(pss.digest), mgfDigest: digestAlgorithm(pss.mgfDigest) },
      }),
    },
  }
}
