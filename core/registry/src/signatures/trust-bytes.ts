import { Certificate, Crl, type Trust } from '@signed-registry/verifier'

/** A trust set that can be posted between threads: DER. */
export interface TrustBytes {
  readonly anchors: readonly Uint8Array[]
  readonly intermediates: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
  readonly responders: readonly Uint8Array[]
}

const made = new WeakMap<Trust, TrustBytes>()

/** Serializes a trust set; cached by the object, which is replaced when the set changes. */
export function trustBytes(trust: Trust): TrustBytes {
  const known = made.get(trust)
  if (known) return known
  const der = (read: readonly { readonly der: Uint8Array }[] = []) => read.map((one) => one.der)
  const bytes = {
    anchors: der(trust.anchors),
    intermediates: der(trust.intermediates),
    crls: der(trust.crls),
    responders: der(trust.responders),
  }
  made.set(trust, bytes)
  return bytes
}

/** Restores a trust set. */
export const readTrust = ({ anchors, intermediates, crls, responders }: TrustBytes): Trust => ({
  anchors: anchors.map((der) => Certificate.parse(der)),
  intermediates: intermediates.map((der) => Certificate.parse(der)),
  crls: crls.map((der) => Crl.parse(der)),
  responders: responders.map((der) => Certificate.parse(der)),
})
