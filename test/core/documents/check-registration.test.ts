import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { CheckRegistration, type CheckRegistrationRequest } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import {
  BIN,
  employeeCaller,
  headCaller,
  personCaller,
  registryWithoutAuthorities,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'

const OTHER = 'IIN123456789012'

describe('checking a registration before anybody signs', () => {
  forEachDatabase((open) => {
    let registry: Registry
    before(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    after(() => registry.close())

    const check = (request: CheckRegistrationRequest, caller: Caller = personCaller()) =>
      registry.get(CheckRegistration).execute(caller, { request })

    it('accepts what would be registered, and stores nothing', async () => {
      const request = {
        title: 'a.pdf',
        settings: { private: true },
        emailNotifications: { to: ['a@b.kz'] },
        send: { to: OTHER },
      }
      expect(await check(request)).to.deep.equal({})
      expect(await check({ title: 'a.pdf' }, anonymous)).to.deep.equal({})
      for (const table of ['registry_documents', 'registry_routing_items', 'registry_mail_budgets'])
        expect(await registry.get(Database).query(table).count({ rows: '*' })).to.deep.equal([{ rows: 0 }])
    })

    const refused: Record<string, [CheckRegistrationRequest, string, Caller?]> = {
      'a title that is no file name': [{ title: 'a/b' }, 'invalidDocumentTitle'],
      'a title that is too long': [{ title: 'a'.repeat(256) }, 'requestFieldTooLarge'],
      'a title that is no text': [{ description: '\0' }, 'requestFieldNotText'],
      'settings that are not valid': [{ settings: { signersRequirements: [{}] } }, 'invalidDocumentSettings'],
      'an archive that there is not': [{ settings: { forceArchive: true } }, 'fieldNotSupported'],
      'an address that is none': [{ emailNotifications: { to: ['nobody'] } }, 'invalidNotificationEmail'],
      'a language that there is not': [
        { emailNotifications: { to: ['a@b.kz'], language: 'de' } },
        'invalidNotificationLanguage',
      ],
      'too many addresses': [
        { emailNotifications: { to: Array.from({ length: 21 }, (_, at) => `a${at}@b.kz`) } },
        'tooManyNotificationEmails',
      ],
      'a receiver that is none': [{ send: { to: '12' } }, 'invalidReceiver'],
      oneself: [{ send: { to: personCaller().iin } }, 'invalidReceiver'],
      'a deadline in the past': [{ send: { to: OTHER, deadline: 1 } }, 'invalidDeadline'],
      'sending without the right to it': [{ send: { to: OTHER } }, 'accessDenied', employeeCaller()],
      'sending by nobody': [{ send: { to: OTHER } }, 'authenticationRequired', anonymous],
    }
    for (const [what, [request, code, caller]] of Object.entries(refused)) {
      it(`refuses ${what}`, async () => expect((await rejectionOf(check(request, caller))).code).to.equal(code))
    }

    it('says which of the addresses is none', async () => {
      const { details } = await rejectionOf(check({ emailNotifications: { to: ['a@b.kz', 'nobody'] } }))
      expect(details).to.deep.equal({ field: 'emailNotifications.to', index: 1 })
    })

    it('refuses what the subscription does not include', async () => {
      const subscriptions = registry.get(Subscriptions)
      const features = ['documentsRegistration', 'documentsPackages', 'documentsRouting'] as const
      const outcome = (request: CheckRegistrationRequest) =>
        check(request, headCaller()).then(
          () => 'accepted',
          ({ code }) => code,
        )
      const without = async (feature: (typeof features)[number]) => {
        await subscriptions.change(BIN, { enable: features, disable: [feature] }, 'administrator')
        return [await outcome({}), await outcome({ isPackage: true }), await outcome({ send: { to: OTHER } })]
      }
      const no = 'featureNotAvailable'
      expect(await without('documentsRegistration')).to.deep.equal([no, 'accepted', no])
      expect(await without('documentsPackages')).to.deep.equal(['accepted', no, 'accepted'])
      expect(await without('documentsRouting')).to.deep.equal(['accepted', 'accepted', no])
    })
  })
})
