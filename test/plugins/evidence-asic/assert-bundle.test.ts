import type { Bundle } from '@signed-registry/core'
import { expect } from 'chai'
import { AsicEvidence } from '#evidence-asic/asic-evidence.js'
import { bundleOf } from '../../support/evidence-bundle.js'
import { testAuthorities } from '../../support/pki/authorities.js'

describe('input that cannot be arranged into a bundle', () => {
  const authorities = testAuthorities()
  const honest = bundleOf(authorities, [{ content: 'a contract', signers: [authorities.person()] }])
  const [document = expect.fail()] = honest.documents
  const [signature = expect.fail()] = document.signatures
  const refused = (changes: Partial<Bundle>, words: string) =>
    expect(() => new AsicEvidence().build({ ...honest, ...changes })).to.throw(TypeError, words)

  it('is refused: several documents without a package, none, doubled ones, identifiers that are no names', () => {
    const other = { ...document, documentId: 'E'.repeat(16), signatures: [] }
    const pack = { packageId: 'P'.repeat(16), title: '', description: '', storedAt: 0 }
    refused({ documents: [] }, 'or of those of a package')
    refused({ documents: [document, other] }, 'or of those of a package')
    refused({ package: pack, documents: [document, document] }, 'twice')
    refused({ documents: [{ ...document, signatures: [signature, signature] }] }, 'twice')
    refused({ documents: [{ ...document, documentId: '../a' }] }, 'name of a file')
    refused({ documents: [{ ...document, documentId: '$(ls)' }] }, 'name of a file')
    refused({ documents: [{ ...document, signatures: [{ ...signature, signId: 1.5 }] }] }, 'name of a file')
    refused({ package: { ...pack, packageId: '`' } }, 'name of a file')
    refused({ documents: [{ ...document, digests: new Map() }] }, 'SHA-256')
    new AsicEvidence().build({ ...honest, package: pack, documents: [document, other] })
  })
})
