import { ListDocuments } from '@signed-registry/core/documents'
import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { DocumentLists } from '#core/documents/document-lists.js'
import { type DocumentRecord, DocumentStore } from '#core/documents/document-store.js'
import { ListEndingDigests } from '#core/documents/list-ending-digests.js'
import { newId } from '#core/kernel/ids.js'
import { BIN, headCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'
import { amount } from '../../support/sweep.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const MANY = amount(1000, 4000)

describe('several thousand documents whose digests end', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      const digestsTrustedUntil = { [SHA256]: Date.UTC(2027, 0, 1) }
      test = await testRegistry(await open(), {
        signaturePolicy: { algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil } },
      })
      test.clock.time = Date.UTC(2026, 5, 1)
    })
    afterEach(() => test.registry.close())

    const store = async (count: number) => {
      const { registry, clock } = test
      const added = Array.from({ length: count }, (): DocumentRecord => {
        clock.time += 1000
        return {
          ...{ id: newId(), storedAt: clock.time, title: '', description: '', settings: {}, signedDataSize: 1 },
          ...{ digestsFixedAt: clock.time, signaturesTotal: 0, emailNotifications: undefined, preregistered: true },
          ...{ packageId: undefined, registrator: { bin: BIN, certificate: new Uint8Array(1) } },
        }
      })
      await registry.get(Database).transaction(async () => {
        await registry.get(DocumentStore).add(added)
        await registry.get(DocumentLists).add(added.map((document) => ({ document })))
        for (const document of added)
          await registry.get(DocumentStore).addDigests(document, new Map([[SHA256, new Uint8Array(32)]]))
      })
    }

    it('are listed in one night, and cost the next one little', async () => {
      for (let n = 0; n < MANY; n += 500) await store(500)
      test.clock.time += DAY
      let statements = 0
      test.registry.get(Database).query.on('query', () => {
        statements += 1
      })
      const night = async () => {
        const before = statements
        await test.registry.get(ListEndingDigests).run()
        return statements - before
      }
      const first = await night()
      const query = { organization: true, digestsEnding: true }
      const { documentsTotal } = await test.registry.get(ListDocuments).execute(headCaller(), { query })
      expect(documentsTotal).to.equal(MANY)
      expect(await night()).to.be.lessThan(first / 4)
    })
  })
})
