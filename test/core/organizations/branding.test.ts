import { Branding, type Registry } from '@signed-registry/core'
import {
  GetOrganizationSettings,
  GetOrganizationSettingsAudit,
  SaveOrganizationSettings,
  type SaveOrganizationSettingsRequest,
} from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { BIN, headCaller, registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { png } from '../../support/png.js'
import { rejectionOf } from '../../support/refusal.js'

const logo = png({ width: 200, height: 100 }).toString('base64')
const name = { ru: 'Ромашка', kk: 'Түймедақ', en: 'Daisy' }

describe('branding of an organization', () => {
  forEachDatabase((open) => {
    let registry: Registry
    const save = (branding: SaveOrganizationSettingsRequest['branding']) =>
      registry.get(SaveOrganizationSettings).execute(headCaller(), { request: branding ? { branding } : {} })
    const read = async () => (await registry.get(GetOrganizationSettings).execute(headCaller())).branding
    const refused = async (branding: SaveOrganizationSettingsRequest['branding']) => {
      const { code, details } = await rejectionOf(save(branding))
      return [code, details]
    }

    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    afterEach(() => registry.close())

    it('is what was saved, for cards, mails and pages', async () => {
      expect(await read()).to.equal(undefined)
      expect(await registry.get(Branding).of(BIN)).to.equal(undefined)
      await save({ logo, color: '#7A1F3d', name })
      expect(await read()).to.deep.equal({ logo, color: '#7a1f3d', name })
      const shown = await registry.get(Branding).of(BIN)
      expect(shown).to.deep.equal({ logo: Buffer.from(logo, 'base64'), color: '#7a1f3d', name })
    })

    it('is kept where it is omitted, replaced as a whole, and removed by an empty object', async () => {
      await save({ logo, name })
      await save(undefined)
      expect(await read()).to.deep.equal({ logo, name })
      await save({ color: '#000000' })
      expect(await read()).to.deep.equal({ color: '#000000' })
      await save({})
      expect(await read()).to.equal(undefined)
      const { events } = await registry.get(GetOrganizationSettingsAudit).execute(headCaller())
      expect(events.at(-1)?.original.branding).to.deep.equal({ color: '#000000' })
      expect(events.at(-1)?.modified).not.to.have.property('branding')
    })

    it('has a logo of at most 200x100 pixels that is a PNG', async () => {
      const field = 'branding.logo'
      const large = png({ width: 201, height: 100 }).toString('base64')
      expect(await refused({ logo: large })).to.deep.equal([
        'invalidLogoResolution',
        { field, width: 201, height: 100 },
      ])
      expect(await refused({ logo: 'AAAA' })).to.deep.equal(['invalidLogoFormat', { field, reason: 'png' }])
      expect(await refused({ logo: 'A'.repeat(90_000) })).to.deep.equal([
        'invalidLogoSize',
        { field, limit: 64 * 1024 },
      ])
      await save({ logo: png({ width: 1, height: 1 }).toString('base64') })
    })

    it('has a name that is as long as a title at most, and a colour in six digits', async () => {
      const [code, details] = await refused({ name: { ...name, kk: 'ұ'.repeat(10_000) } })
      expect(code).to.equal('requestFieldTooLarge')
      expect(details).to.include({ field: 'branding.name.kk' })
      for (const color of ['#fff', 'red', '#7a1f3d;}', '#gggggg'])
        expect((await refused({ color }))[0]).to.equal('invalidJsonStructure')
    })
  })
})
