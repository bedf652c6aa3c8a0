import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { DeleteTemplate, ListTemplates, SaveTemplate, type SaveTemplateRequest } from '@signed-registry/core/templates'
import { expect } from 'chai'
import {
  BIN,
  employeeCaller,
  headCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'

const contract: SaveTemplateRequest = {
  name: 'Contract',
  title: 'Supply',
  description: 'Yearly',
  documents: ['contract', 'annex'],
  settings: { private: true },
  documentsSettings: { signersRequirements: [{ iin: IIN }, { bin: BIN }], sequentialSignersRequirements: true },
  send: { to: BIN, comment: 'Please sign', toSign: true, days: 10 },
  emails: ['a@example.kz'],
}
const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

describe('templates', () => {
  forEachDatabase((open) => {
    let registry: Registry
    const list = async (by: Caller = personCaller()) => (await registry.get(ListTemplates).execute(by)).templates
    const save = async (request: SaveTemplateRequest, by: Caller = personCaller()) =>
      (await registry.get(SaveTemplate).execute(by, { request })).templateId
    const remove = (templateId: string, by: Caller = personCaller()) =>
      registry.get(DeleteTemplate).execute(by, { templateId })

    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open(), { limits: { templatesPerOwner: 2 } })
    })
    afterEach(() => registry.close())

    it('are kept by name, as they were saved', async () => {
      const templateId = await save(contract)
      expect(await list()).to.deep.equal([{ templateId, modifiedAt: NOW, ...contract }])
      const another = await save({ name: ' Act ' })
      expect((await list()).map(({ name }) => name)).to.deep.equal(['Act', 'Contract'])
      expect(await save({ name: 'Act', documents: ['act'] })).to.equal(another)
      expect((await list())[0]?.documents).to.deep.equal(['act'])
    })

    it('keep no unknown fields', async () => {
      await save({ ...contract, ...{ more: 1 } })
      expect((await list())[0]).not.to.have.property('more')
    })

    it('are those of a person, or of the organization for who may send for it', async () => {
      await save(contract, headCaller())
      expect(await list(personCaller())).to.deep.equal([])
      expect(await list(headCaller({ bin: 'BIN123456789022' }))).to.deep.equal([])
      expect((await list(headCaller({ iin: 'IIN123456789099' }))).length).to.equal(1)
      for (const attempt of [list, (by: Caller) => save(contract, by), (by: Caller) => remove('A'.repeat(16), by)]) {
        expect(await codeOf(attempt(employeeCaller()))).to.equal('accessDenied')
        expect(await codeOf(attempt(anonymous))).to.equal('authenticationRequired')
      }
    })

    it('are deleted by their owner', async () => {
      const templateId = await save(contract)
      expect(await codeOf(remove(templateId, headCaller()))).to.equal('templateNotFound')
      expect(await remove(templateId)).to.deep.equal({ templateId })
      expect(await list()).to.deep.equal([])
      expect(await codeOf(remove(templateId))).to.equal('templateNotFound')
    })

    it('are one where several hosts save it, even twice the same', async () => {
      const saved = new Set(await Promise.all(Array.from({ length: 8 }, () => save(contract))))
      expect(saved.size).to.equal(1)
      expect(await list()).to.have.length(1)
    })

    it('are limited in number, also where several are saved at once, and in size', async () => {
      for (let round = 0; round < 5; round += 1) {
        for (const { templateId } of await list()) await remove(templateId)
        const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
        const outcomes = await Promise.allSettled(names.map((name) => save({ name })))
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).to.equal(2)
      }
      expect(await codeOf(save({ name: 'i' }))).to.equal('tooManyTemplates')
      const [one] = await list()
      await save({ name: one?.name ?? '', title: 'replaced' })
      expect(await codeOf(save({ name: 'x'.repeat(65) }))).to.equal('requestFieldTooLarge')
      expect(await codeOf(save({ name: 'a', documents: Array(101).fill('x') }))).to.equal('requestFieldTooLarge')
      expect(await codeOf(save({ name: 'a', emails: Array(21).fill('a@b.kz') }))).to.equal('requestFieldTooLarge')
      expect(await codeOf(save({ name: 'a', title: 'x'.repeat(17_000) }))).to.equal('requestFieldTooLarge')
      expect(await codeOf(save({ name: 'a\0' }))).to.equal('requestFieldNotText')
      expect(await codeOf(save({ name: 'a', send: { days: 0 } }))).to.equal('invalidJsonStructure')
    })
  })
})
