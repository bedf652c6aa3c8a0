import { evidenceContract } from '@signed-registry/core/contracts'
import { AsicEvidence } from '#evidence-asic/asic-evidence.js'
import { bundleOf, SHA_256 } from '../support/evidence-bundle.js'
import { hold } from '../support/hold.js'
import { testAuthorities } from '../support/pki/authorities.js'

describe('evidence bundles as ASiC containers, as an EvidenceBuilder and an EvidenceParser', () => {
  const authorities = testAuthorities()
  const people = [authorities.person({ algorithm: 'rsa2048' }), authorities.person()]
  const honest = bundleOf(authorities, [{ content: 'a contract', signers: people }])
  const asic = new AsicEvidence()

  hold(
    evidenceContract({
      builder: () => asic,
      parser: () => asic,
      bundle: (original) => ({
        ...honest,
        documents: honest.documents.map((document) => ({
          ...document,
          original: original && { name: 'contract.pdf', bytes: original.bytes },
          ...(original && { size: original.size, digests: new Map([[SHA_256, original.sha256]]) }),
        })),
      }),
    }),
  )
})
