import { anonymous, type Registry } from '@signed-registry/core'

import { RegisterDocument } from '@signed-registry/core/documents'
import { GetOrganizationSettings, SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { apiOf, type TestApi } from '../support/api-of.js'
import { BIN, headCaller, personCaller, registryWithoutAuthorities, systemCaller } from '../support/core-registry.js'
import { forEachDatabase } from '../support/databases.js'
import { UNTITLED } from '../support/packages.js'

const OTHER_BIN = 'BIN987654321098'
const intruder = systemCaller({ bin: OTHER_BIN, certificate: 'AAAA' })
const stranger = personCaller('IIN900101300099')
const ours = systemCaller({ certificate: 'AAAA' })

/** The same identifier in another case. */
const otherCases = (id: string) =>
  [
    id.toLowerCase(),
    id.toUpperCase(),
    id.replace(/[a-z]/i, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase())),
  ].filter((other) => other !== id)

describe('attacks on access', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let api: TestApi
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
      api = await apiOf(registry)
    })
    afterEach(async () => {
      await api.app.close()
      await registry.close()
    })
    const preregister = async (settings = {}) =>
      (await registry.get(RegisterDocument).execute(ours, { request: { title: 'contract', settings } })).documentId

    it('an identifier in another case is another identifier', async () => {
      const documents = await Promise.all(Array.from({ length: 4 }, () => preregister()))
      for (const id of documents) {
        expect((await api.ask(anonymous, 'GET', `/${id}`)).status).to.equal(200)
        for (const other of otherCases(id)) {
          expect((await api.ask(anonymous, 'GET', `/${other}`)).json).to.include({ code: 'documentNotFound' })
        }
      }
      const { packageId } = await registry
        .get(RegisterPackage)
        .execute(anonymous, { request: { ...UNTITLED, documents: [UNTITLED] } })
      for (const other of otherCases(packageId)) {
        expect((await api.ask(anonymous, 'GET', `/package/${other}`)).json).to.include({ code: 'packageNotFound' })
      }
    })

    it('an identifier with anything around it is invalid', async () => {
      const id = await preregister()
      for (const other of [
        `${id}%20`,
        `%20${id}`,
        `${id}%00`,
        `${id}%25`,
        `${id}%2Fsettings`,
        id.slice(1),
        `${id}0`,
        '%25',
        '_'.repeat(16),
      ]) {
        // Letters only could also be an unknown route.
        const { json } = await api.ask(headCaller(), 'GET', `/${other}`)
        expect(json, other).property('code').to.be.oneOf(['invalidDocumentIdentifier', 'invalidRoute'])
      }
    })

    it('a package is not a document, and a document is not a package', async () => {
      const id = await preregister({ private: true })
      const { packageId } = await registry
        .get(RegisterPackage)
        .execute(ours, { request: { ...UNTITLED, documents: [UNTITLED] } })
      expect((await api.ask(ours, 'GET', `/package/${id}`)).json).to.include({ code: 'packageNotFound' })
      expect((await api.ask(ours, 'GET', `/${packageId}`)).json).to.include({ code: 'documentNotFound' })
    })

    it('HEAD tells no more than GET', async () => {
      const id = await preregister({ private: true })
      const { statusCode, body } = await api.app.inject({ method: 'HEAD', url: `/api/${id}` })
      expect([statusCode, body]).to.deep.equal([401, ''])
    })

    it('a system of one organization registers nothing for another, whatever its request says', async () => {
      const claims = { registrator: { businessId: BIN, certificate: '' }, businessId: BIN, bin: BIN }
      const { json } = await api.ask(intruder, 'POST', '', { title: 'forged', ...claims })
      const { registrator } = (await api.ask(intruder, 'GET', `/${json.documentId}`)).json
      expect(registrator).to.include({ businessId: OTHER_BIN })
      const seen = (await api.ask(headCaller(), 'GET', '?organization=true')).json
      expect(seen).to.deep.equal({ documentsTotal: 0, documents: [] })
    })

    it('a system of one organization neither reads, completes nor changes what another preregistered', async () => {
      const id = await preregister({ private: true })
      const grants = { documentsAccess: {}, documentsSettings: {}, documentsList: {}, organizationSettings: {} }
      const everything = Object.fromEntries(Object.keys(grants).map((right) => [right, { iins: ['IIN900101300099'] }]))
      await registry.get(SaveOrganizationSettings).execute(headCaller({ bin: OTHER_BIN }), { request: everything })
      for (const caller of [intruder, headCaller({ bin: OTHER_BIN })]) {
        for (const path of ['', '/settingsAudit', '/buildFileName', '/signature/1']) {
          expect((await api.ask(caller, 'GET', `/${id}${path}`)).json, path).to.include({ code: 'accessDenied' })
        }
        const settings = await api.ask(caller, 'POST', `/${id}/settings`, { private: false })
        expect(settings.json).to.include({ code: 'accessDenied' })
      }
      const headers = { 'content-type': 'application/octet-stream' }
      await api.ask(intruder, 'GET', '/version')
      const upload = await api.app.inject({ method: 'POST', url: `/api/${id}/data`, headers, payload: 'other' })
      expect(upload.json()).to.include({ code: 'accessDenied' })
    })

    it('settings are those of the caller’s organization, whichever the request names', async () => {
      const named = { businessId: BIN, bin: BIN, routingContactEmail: 'intruder@example.kz' }
      const others = headCaller({ bin: OTHER_BIN })
      expect(
        (await api.ask(others, 'POST', `/organizationSettings?bin=${BIN}&businessId=${BIN}`, named)).json,
      ).to.include({
        businessId: OTHER_BIN,
      })
      const settings = await registry.get(GetOrganizationSettings).execute(headCaller())
      expect(settings).to.include({ modifiedAt: 0, routingContactEmail: '' })
    })

    it('settings of a user are the caller’s, whomever the request names', async () => {
      const victim = personCaller()
      const named = { userId: victim.iin, iin: victim.iin, email: 'intruder@example.kz' }
      expect((await api.ask(stranger, 'POST', '/settings', named)).json).to.include({ userId: stranger.iin })
      expect((await api.ask(victim, 'GET', '/settings')).json).to.include({ userId: victim.iin, email: '' })
    })

    it('lists are the caller’s, whomever the query names, and a doubled parameter is refused', async () => {
      const id = await preregister()
      for (const query of [`iin=${BIN}`, `bin=${BIN}`, `businessId=${BIN}&userId=${BIN}`, 'searchQuery=contract']) {
        const { json } = await api.ask(intruder, 'GET', `?${query}`)
        expect(json, query).to.deep.equal({ documentsTotal: 0, documents: [] })
      }
      for (const query of [
        'organization=false&organization=true',
        'organization[]=true',
        'organization=yes',
        'until=NaN',
      ]) {
        const answer = await api.ask(stranger, 'GET', `?${query}`)
        expect(JSON.stringify(answer.json), query).to.not.contain(id)
        if (answer.status !== 200) expect(answer.json, query).to.include({ code: 'invalidQueryParameter' })
      }
    })

    it('an employee of another organization sees nothing by its right, nor by the IIN', async () => {
      const id = await preregister({ private: true, documentAccess: [{ iin: stranger.iin, bin: BIN }] })
      const elsewhere = headCaller({ iin: stranger.iin, bin: OTHER_BIN })
      for (const caller of [stranger, elsewhere]) {
        expect((await api.ask(caller, 'GET', `/${id}`)).json).to.include({ code: 'accessDenied' })
      }
      const here = headCaller({ iin: stranger.iin, authorities: [] })
      expect((await api.ask(here, 'GET', `/${id}`)).status).to.equal(200)
    })
  })
})
