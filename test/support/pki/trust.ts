import type { DevAuthorities } from '@signed-registry/dev-authorities'
import type { Trust } from '../../../core/dist/signatures/path/trust.js'
import { Certificate } from '../../../core/dist/signatures/x509/certificate.js'

/** What a registry of these authorities trusts. */
export const trustOf = ({ anchors, intermediates }: DevAuthorities): Trust => ({
  anchors: anchors.map((der) => Certificate.parse(der)),
  intermediates: intermediates.map((der) => Certificate.parse(der)),
})
