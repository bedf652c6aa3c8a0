import { anonymous, type Caller } from '@signed-registry/core'

import { expect } from 'chai'
import { apiOf, type TestApi } from '../../support/api-of.js'
import { headCaller, IIN, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { fixedPackage, signaturesOver, UNTITLED } from '../../support/packages.js'
import { NOW } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const UNKNOWN = 'AAAAAAAAAAAAAAAA'

forEachDatabase((open) => {
  describe('packages over HTTP', () => {
    let test: TestRegistry
    let api: TestApi
    before(async () => {
      test = await testRegistry(await open())
      api = await apiOf(test.registry)
    })
    after(async () => {
      await api.app.close()
      await test.registry.close()
    })

    const get = (caller: Caller, url: string) => api.ask(caller, 'GET', url)
    const post = (caller: Caller, url: string, body: unknown) => api.ask(caller, 'POST', url, body)
    const refusal = ({ status, json }: Awaited<ReturnType<typeof get>>) => [status, json.message]
    const register = async (caller: Caller, fields: object = {}) => {
      const body = { title: 'May', description: '', documents: [{ title: 'a.txt', description: '' }], ...fields }
      const { status, json } = await post(caller, '/package', body)
      expect(status, JSON.stringify(json)).to.equal(200)
      return json
    }

    it('are registered and read', async () => {
      const documents = [
        { ...UNTITLED, title: 'a.txt' },
        { ...UNTITLED, title: 'b.txt', unknown: true },
      ]
      const registered = await register(personCaller(), { documents, settings: { private: true } })
      const wrong = await post(personCaller(), '/package', {
        ...UNTITLED,
        documents,
        settings: { private: true, x: 1 },
      })
      expect(refusal(wrong)).to.deep.equal([400, 'Invalid format of provided package settings'])
      expect(Object.keys(registered)).to.deep.equal(['packageId', 'documentsIds'])
      const { packageId, documentsIds } = registered
      expect(await get(personCaller(), `/package/${packageId}`)).to.deep.equal({
        status: 200,
        json: {
          packageId,
          title: 'May',
          description: '',
          storedAt: NOW,
          documentsIds,
          emailNotifications: { to: [], doNotAttachDocuments: false },
          signatureEmailNotifications: [],
          settings: { private: true, packageAccess: [], packageSettings: [], signWholePackage: false },
          documentsSettings: {},
          dataArchived: false,
          dataStored: false,
        },
      })
      expect(refusal(await get(anonymous, `/package/${packageId}`))).to.deep.equal([401, 'Authentication required'])
      expect(refusal(await get(headCaller(), `/package/${packageId}`))).to.deep.equal([403, 'Access denied'])
    })

    it('are signed as a whole, and one bad signature is named in the refusal of all', async () => {
      const { packageId, documentsIds, originals } = await fixedPackage(test, { settings: { signWholePackage: true } })
      const signatures = signaturesOver(originals, test.authorities.employee())
      const [first, second, third] = signatures
      const wrong = await post(anonymous, `/package/${packageId}`, { signatures: [first, third, second] })
      expect(refusal(wrong)).to.deep.equal([422, 'Signature does not correspond to the document'])
      expect(wrong.json.details).to.include({
        index: 1,
        documentId: documentsIds[1],
        code: 'signatureDoesNotCorrespond',
      })

      const alone = await post(anonymous, `/${documentsIds[0]}`, first)
      expect(refusal(alone)).to.deep.equal([409, 'Signing whole package is required'])

      const { status, json } = await post(anonymous, `/package/${packageId}`, { signatures })
      expect(status).to.equal(200)
      expect(json.packageId).to.equal(packageId)
      expect(json.registrationResults.map((one: { documentId: string }) => one.documentId)).to.deep.equal(documentsIds)
      expect(json.registrationResults[1]).to.deep.equal({
        documentId: documentsIds[1],
        signId: json.registrationResults[1].signId,
        dataArchived: false,
        canBeArchived: false,
      })
    })

    it('have settings that are changed and audited', async () => {
      const { packageId } = await register(personCaller())
      const url = `/package/${packageId}/settings`
      const changed = await post(personCaller(), url, { signWholePackage: true })
      expect(changed).to.deep.equal({ status: 200, json: { packageId } })
      const { json } = await get(personCaller(), `/package/${packageId}/settingsAudit`)
      expect(json).to.deep.include({ packageId, eventsTotal: 1 })
      expect(json.events[0]).to.deep.include({ modifiedBy: IIN, modifiedAt: NOW })
      expect(json.events[0].modified.signWholePackage).to.equal(true)
      const after = await get(
        personCaller(),
        `/package/${packageId}/settingsAudit?lastEventId=${json.events[0].eventId}`,
      )
      expect(after.json.events).to.deep.equal([])
      const wrong = await post(personCaller(), url, { packageAccess: [{ iin: '900101300010' }] })
      expect(refusal(wrong)).to.deep.equal([400, 'Invalid format of provided package settings'])
    })

    it('are listed to whom their rules name, and to the organization', async () => {
      const caller = personCaller('IIN900101300037')
      const { packageId } = await register(systemCaller(), { settings: { packageAccess: [{ iin: caller.iin }] } })
      const { json } = await get(caller, '/package')
      expect(json.packagesTotal).to.equal(1)
      expect(json.packages[0]).to.include.keys('packageId', 'title', 'description', 'storedAt', 'documentsIds')
      expect(json.packages[0].packageId).to.equal(packageId)
      expect((await get(caller, `/package?until=${NOW}`)).json).to.deep.equal({ packagesTotal: 0, packages: [] })
      expect((await get(headCaller(), '/package?organization=true')).json.packagesTotal).to.equal(1)
      expect(refusal(await get(anonymous, '/package'))).to.deep.equal([401, 'Authentication required'])
      expect(refusal(await get(caller, '/package?organization=true'))).to.deep.equal([
        403,
        'User does not represent an organization',
      ])
      expect(refusal(await get(caller, '/package?from=x'))).to.deep.equal([400, 'Invalid URL query parameter'])
    })

    it('refuse malformed requests and identifiers', async () => {
      const documents = [UNTITLED]
      const cases: [string, unknown, number, string][] = [
        ['/package', { ...UNTITLED, documents: [] }, 400, 'Package has no documents'],
        ['/package', {}, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents: [1] }, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents, title: 5 }, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents: Array(5000).fill(UNTITLED) }, 400, 'Request field size is too large'],
        ['/package', { title: '', documents }, 400, 'Invalid JSON request structure'],
        ['/package', { description: '', documents }, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents: [{ title: 'a' }] }, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents: [{ description: 'a' }] }, 400, 'Invalid JSON request structure'],
        ['/package', { ...UNTITLED, documents, send: { to: IIN } }, 400, 'Invalid receiver'],
        ['/package/x', { signatures: [] }, 400, 'Invalid package identifier'],
        [`/package/${UNKNOWN}`, { signatures: [] }, 404, 'Package not found'],
        [`/package/${UNKNOWN}/settings`, {}, 404, 'Package not found'],
      ]
      for (const [url, body, status, message] of cases) {
        expect(refusal(await post(personCaller(), url, body)), url).to.deep.equal([status, message])
      }
      expect(refusal(await get(anonymous, `/package/${UNKNOWN}`))).to.deep.equal([404, 'Package not found'])
    })
  })
})
