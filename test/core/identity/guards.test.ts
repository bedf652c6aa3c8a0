import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { coreOperations } from '#core/core-areas.js'
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
/** Bodies that are right but for what they name. */
const BODIES: Readonly<Record<string, object>> = {
  changePackageSettings: { packageAccess: [], packageSettings: [] },
  beginPackageProcedure: { description: '' },
  commentIncoming: { comment: 'so' },
  commentOutgoing: { comment: 'so' },
  sendDocument: { to: 'IIN300000000009' },
  sendPackage: { to: 'IIN300000000009' },
}
/** What operations refuse with whose guards only tell: of callers, and of what is not there. */
const OF_CALLERS_AND_OBJECTS = [
  'accessDenied',
  'alreadyAuthenticatedWithTls',
  'authenticationRequired',
  'documentDigestsNotKnown',
  'documentNotFound',
  'invalidDocumentIdentifier',
  'invalidPackageIdentifier',
  'invalidSignatureIdentifier',
  'operationNotFound',
  'packageNotFound',
]
const OBJECTS = ['id', 'packageId', 'incomingId', 'outgoingId']

describe('the guards of operations', () => {
  let registry: Registry
  let inputs: readonly object[]
  before(async () => {
    registry = await registryWithoutAuthorities(await openSqlite())
    const register = async (settings: { private: boolean }) => {
      const request = { title: 'a', settings }
      const { documentId: id } = await registry.get(RegisterDocument).execute(systemCaller(), { request })
      const pack = { ...UNTITLED, settings, documents: [UNTITLED] }
      const { packageId } = await registry.get(RegisterPackage).execute(systemCaller(), { request: pack })
      return { id, packageId }
    }
    const objects = [await register({ private: true }), await register({ private: false })]
    const others = [UNKNOWN, 'short'].map((one) => ({ id: one, packageId: one }))
    inputs = [...objects, ...others].map((names) => ({
      ...names,
      incomingId: names.id,
      outgoingId: names.id,
      signId: 1,
      operationId: UNKNOWN,
      webhookId: UNKNOWN,
      query: {},
      upload: uploadOf(Buffer.from('original')),
    }))
  })
  after(() => registry.close())

  for (const { id, Class, who, params, refuses = [] } of coreOperations) {
    const isAboutObject = OBJECTS.some((name) => name in (params?.properties ?? {})) || id === 'beginPhoneLogin'
    const told = who.check || !isAboutObject ? [] : refuses.filter((code) => OF_CALLERS_AND_OBJECTS.includes(code))
    for (const code of [...who.refuses, ...told]) {
      it(`refuse ${id} with ${code}`, async () => {
        const codes = new Set<unknown>()
        for (const caller of CALLERS) {
          for (const input of inputs) {
            const called: { execute(caller: unknown, input: unknown): unknown } = registry.unchecked(Class)
            const answer = (async () => called.execute(caller, { ...input, request: BODIES[id] ?? {} }))()
            codes.add(Object(await answer.catch((error: unknown) => error)).code)
          }
        }
        expect([...codes]).to.include(code)
      })
    }
  }
})
