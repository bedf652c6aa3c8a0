import { anonymous, type Caller, type Registry } from '@signed-registry/core'

import { RegisterDocument } from '@signed-registry/core/documents'
import { RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { coreOperations } from '#core/registry.js'
import { employeeCaller, personCaller, registryWithoutAuthorities, systemCaller } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { uploadOf } from '../../support/registry.js'

/** Nobody here has a right in an organization, or anything to do with the objects. */
const CALLERS: readonly Caller[] = [
  anonymous,
  personCaller(),
  employeeCaller({ bin: 'BIN999999999999' }),
  systemCaller({ bin: 'BIN999999999999' }),
]
const UNKNOWN = 'A'.repeat(16)

describe('the guards of operations', () => {
  let registry: Registry
  let inputs: readonly object[]
  before(async () => {
    registry = await registryWithoutAuthorities(await openSqlite())
    const system = systemCaller()
    const document = { title: 'private', settings: { private: true } }
    const { documentId: id } = await registry.get(RegisterDocument).execute(system, { request: document })
    const request = { ...UNTITLED, settings: { private: true }, documents: [UNTITLED] }
    const { packageId } = await registry.get(RegisterPackage).execute(system, { request })
    inputs = [id, UNKNOWN, 'short'].map((one) => ({
      id: one,
      packageId: one === id ? packageId : one,
      incomingId: one,
      outgoingId: one,
      signId: 1,
      operationId: UNKNOWN,
      webhookId: UNKNOWN,
      query: {},
      upload: uploadOf(Buffer.from('original')),
    }))
  })
  after(() => registry.close())

  for (const { id, Class, who } of coreOperations) {
    for (const code of who.refuses) {
      it(`refuse ${id} with ${code}`, async () => {
        const codes = new Set<unknown>()
        const request = id === 'changePackageSettings' ? { packageAccess: [], packageSettings: [] } : {}
        for (const caller of CALLERS) {
          for (const input of inputs) {
            const called: { execute(caller: unknown, input: unknown): unknown } = registry.unchecked(Class)
            const refused = await Promise.resolve(called.execute(caller, { ...input, request })).catch(
              (error: unknown) => error,
            )
            codes.add(Object(refused).code)
          }
        }
        expect([...codes]).to.include(code)
      })
    }
  }
})
