import type { DevAuthorities } from '@signed-registry/dev-authorities'
import type { Trust } from '#verifier/path/trust.js'
import { Certificate } from '#verifier/x509/certificate.js'

/** What a registry of these authorities trusts. */
export const trustOf = ({ anchors, intermediates }: DevAuthorities): Trust => ({
  anchors: anchors.map((der) => Certificate.parse(der)),
  intermediates: intermediates.map((der) => Certificate.parse(der)),
})
