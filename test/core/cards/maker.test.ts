import { anonymous, type CardMaker, type Registry } from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { CardMakers } from '#core/cards/maker.js'
import { cardOf } from '../../plugins/ddc-pdf/cards.js'
import { clientCertificate } from '../../support/client-certificate.js'
import { BIN, headCaller, registryWithoutAuthorities, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { png } from '../../support/png.js'

const logo = png({ width: 100, height: 100 })
const ddcLogo = png({ width: 200, height: 100 })
const name = { ru: 'Ромашка', kk: 'Түймедақ', en: 'Daisy' }
/** A document that no system registered. */
const byPeople = { registrator: undefined }
const letterhead = { name, color: '#7a1f3d' }
const branding = { logo: logo.toString('base64'), ...letterhead }

describe('in whose name a card is made', () => {
  forEachDatabase((open) => {
    let registry: Registry
    const certificate = clientCertificate()
    const system = systemCaller({ certificate: certificate.der.toString('base64') })
    const { signatures } = cardOf(Buffer.from('text'), 1, {}, { businessId: BIN })
    const settings = (own: object) => ({
      tlsCertificatesList: [{ description: '', body: certificate.pem, disabled: false, byKey: true, settings: own }],
    })
    const save = (request: object) => registry.get(SaveOrganizationSettings).execute(headCaller(), { request })
    const without = ({ service: _, ...maker }: CardMaker) => maker
    const bySystem = async () => without(await registry.get(CardMakers).of(system, byPeople, signatures))

    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    afterEach(() => registry.close())

    it('is the organization for which a document was signed first, where no system registered it', async () => {
      const makers = registry.get(CardMakers)
      expect(without(await makers.of(anonymous, byPeople, signatures))).to.deep.equal({})
      await save({ branding })
      expect(without(await makers.of(anonymous, byPeople, signatures))).to.deep.equal({ logo, letterhead })
      const [first] = cardOf(Buffer.from('text'), 1).signatures
      if (first === undefined) throw new Error('There is no signature')
      const later = signatures.map((one) => ({ ...one, signature: { ...one.signature, signId: 2 } }))
      expect(without(await makers.of(anonymous, byPeople, [...later, first]))).to.deep.equal({})
    })

    it('is the calling system with its own logo before that of its organization', async () => {
      await save({ branding, ...settings({}) })
      expect(await bySystem()).to.deep.equal({ logo, letterhead })
      await save(settings({ ddcLogo: ddcLogo.toString('base64'), ddcLogoString: { ru: 'знак', kk: 'белгі' } }))
      expect(await bySystem()).to.deep.equal({
        logo: ddcLogo,
        logoCaption: { ru: 'знак', kk: 'белгі' },
        letterhead,
      })
    })

    it('shows no logo where the system does not want one', async () => {
      await save({ branding, ...settings({ ddcLogoDisable: true }) })
      expect(await bySystem()).to.deep.equal({ letterhead })
    })

    it('may have been any of those that are known', async () => {
      await save({ branding })
      const all = await registry.get(CardMakers).all(anonymous, byPeople, signatures)
      expect(all.map(without)).to.deep.equal([{ logo, letterhead }, {}])
    })
  })
})
