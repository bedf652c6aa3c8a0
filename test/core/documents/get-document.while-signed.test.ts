import { anonymous } from '@signed-registry/core'

import { AddSignature, FixDigests, GetDocument, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { DigestEnds } from '#core/documents/digest-ends.js'
import { DigestOpenings } from '#core/documents/digest-openings.js'
import { DocumentAccess } from '#core/documents/document-access.js'
import { type DocumentRecord, DocumentStore } from '#core/documents/document-store.js'
import { DocumentVersions } from '#core/documents/document-versions.js'
import { DocumentLimits } from '#core/documents/limits.js'
import { RoutedItems } from '#core/documents/ports.js'
import { SignatureStore } from '#core/documents/signature-store.js'
import { Limits } from '#core/kernel/limits.js'
import { DataStates } from '#core/originals/index.js'
import { openSqlite } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('Between us.\n')

describe('a document that is read while it is signed', () => {
  let test: TestRegistry
  let documentId: string
  let firstSignId: number
  before(async () => {
    test = await testRegistry(await openSqlite())
    const settings = { private: true, publicWhileLessThanSignatures: 3 }
    const request = { signature: signed(), settings }
    const registered = await test.registry.get(RegisterDocument).execute(anonymous, { request })
    documentId = registered.documentId
    firstSignId = registered.signId ?? 0
    await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
  })
  after(() => test.registry.close())

  const signed = () => test.authorities.person().signCms(original).toString('base64')
  const sign = () =>
    test.registry.get(AddSignature).execute(anonymous, { id: documentId, request: { signature: signed() } })

  /** Reads as a host does that read the document before another signature, and its signatures after. */
  function reader(before: DocumentRecord): GetDocument {
    const { registry } = test
    class Late extends DocumentStore {
      private known: DocumentRecord | undefined = before
      override async get(id: string): Promise<DocumentRecord> {
        const record = this.known ?? (await super.get(id))
        this.known = undefined
        return record
      }
    }
    return new GetDocument({
      documents: new Late({ database: registry.get(Database), openings: registry.get(DigestOpenings) }),
      signatures: registry.get(SignatureStore),
      access: registry.get(DocumentAccess),
      routed: registry.get(RoutedItems),
      versions: registry.get(DocumentVersions),
      states: registry.get(DataStates),
      limits: registry.get(Limits),
      documentLimits: registry.get(DocumentLimits),
      ends: registry.get(DigestEnds),
    })
  }

  it('does not show the signature that closes it by earlier rights, on any page', async () => {
    const documents = test.registry.get(DocumentStore)
    await sign()
    const open = await documents.get(documentId)
    const { signatures } = await reader(open).execute(anonymous, { id: documentId })
    expect(signatures).to.have.length(2)
    await sign()
    for (const lastSignId of [0, firstSignId]) {
      const read = reader(open).execute(anonymous, { id: documentId, query: { lastSignId } })
      expect(await rejectionOf(read)).to.have.property('code', 'authenticationRequired')
    }
  })
})
