import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { GetDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import {
  ChangePackageSettings,
  GetPackage,
  GetPackageSettingsAudit,
  type PackageSettingsRequest,
  RegisterPackage,
} from '@signed-registry/core/packages'
import { expect } from 'chai'
import {
  BIN,
  employeeCaller,
  headCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'

const OTHER = 'IIN900101300010'
const OTHER_BIN = 'BIN000140000010'
/** Registers, and is none of the callers. */
const registrar = personCaller('IIN900101300094')
const UNKNOWN = 'AAAAAAAAAAAAAAAA'
const DEFAULTS = { private: false, packageAccess: [], packageSettings: [], signWholePackage: false }

describe('packages', () => {
  forEachDatabase((open) => {
    let registry: Registry
    before(async () => {
      registry = await registryWithoutAuthorities(await open())
      const granted = { authorities: [], tlsCertificatesIndices: [], iins: [OTHER] }
      await registry
        .get(SaveOrganizationSettings)
        .execute(headCaller(), { request: { packagesAccess: granted, packagesSettings: granted } })
    })
    after(() => registry.close())

    const register = async (settings: PackageSettingsRequest, caller: Caller = anonymous, documentsSettings = {}) => {
      const request = { ...UNTITLED, documents: [UNTITLED], settings, documentsSettings }
      return registry.get(RegisterPackage).execute(caller, { request })
    }
    const view = (caller: Caller, packageId: string) => registry.get(GetPackage).execute(caller, { packageId })
    const change = (caller: Caller, packageId: string, settings: PackageSettingsRequest) =>
      registry.get(ChangePackageSettings).execute(caller, { packageId, request: settings })
    const audit = (caller: Caller, packageId: string, lastEventId?: number) =>
      registry
        .get(GetPackageSettingsAudit)
        .execute(caller, { packageId, query: lastEventId === undefined ? {} : { lastEventId } })
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'allowed',
        (error: { code: string }) => error.code,
      )

    const CALLERS = {
      anonymous,
      person: personCaller(),
      'another person': personCaller(OTHER),
      employee: employeeCaller(),
      'colleague with the right': employeeCaller({ iin: OTHER }),
      'colleague without it': employeeCaller({ iin: 'IIN111111111111' }),
      'first head': headCaller({ iin: 'IIN222222222222' }),
      system: systemCaller(),
      'head of another organization': headCaller({ iin: OTHER, bin: OTHER_BIN }),
    } as const
    type Name = keyof typeof CALLERS

    const cases: [string, Caller, PackageSettingsRequest, view: Name[], change: Name[]][] = [
      ['public', anonymous, {}, Object.keys(CALLERS) as Name[], []],
      ['private, by a person', personCaller(), { private: true }, ['person'], ['person']],
      ['private, by an employee', employeeCaller(), { private: true }, ['employee'], ['employee']],
      [
        'private, by a system',
        systemCaller(),
        { private: true },
        ['colleague with the right', 'first head'],
        ['colleague with the right', 'first head'],
      ],
      [
        'private with packageAccess for a person',
        registrar,
        { private: true, packageAccess: [{ iin: IIN }] },
        ['person'],
        [],
      ],
      [
        'private with packageAccess for an employee',
        registrar,
        { private: true, packageAccess: [{ iin: IIN, bin: BIN }] },
        ['employee', 'colleague with the right', 'first head'],
        [],
      ],
      [
        'private with packageAccess for an organization',
        registrar,
        { private: true, packageAccess: [{ bin: BIN }] },
        ['colleague with the right', 'first head'],
        [],
      ],
      [
        'private with rules that name nobody',
        registrar,
        { private: true, packageAccess: [{}], packageSettings: [{}] },
        [],
        [],
      ],
      [
        'private with packageSettings for a person',
        registrar,
        { private: true, packageSettings: [{ iin: IIN }] },
        [],
        ['person'],
      ],
      [
        'public with packageSettings for an organization',
        registrar,
        { packageSettings: [{ bin: BIN }] },
        Object.keys(CALLERS) as Name[],
        ['colleague with the right', 'first head'],
      ],
    ]
    for (const [name, registrator, settings, viewers, changers] of cases) {
      it(`${name}: are seen and changed by those whom the access table names`, async () => {
        const { packageId } = await register(settings, registrator)
        const may = async (what: (caller: Caller) => Promise<unknown>) => {
          const allowed: string[] = []
          for (const [who, caller] of Object.entries(CALLERS)) {
            const outcome = await codeOf(what(caller))
            if (outcome === 'allowed') allowed.push(who)
            else expect(outcome).to.equal(who === 'anonymous' ? 'authenticationRequired' : 'accessDenied')
          }
          return allowed
        }
        expect(await may((caller) => view(caller, packageId))).to.have.members(viewers)
        expect(await may((caller) => audit(caller, packageId))).to.have.members(changers)
        expect(await may((caller) => change(caller, packageId, settings))).to.have.members(changers)
      })
    }

    it('give no access to their documents', async () => {
      const settings = { private: true, packageAccess: [{ iin: IIN }] }
      const { packageId, documentsIds } = await register(settings, registrar, { private: true })
      await view(personCaller(), packageId)
      const call = registry.get(GetDocument).execute(personCaller(), { id: documentsIds[0] ?? '' })
      expect((await rejectionOf(call)).code).to.equal('accessDenied')
    })

    it('take defaults for omitted settings, and show who changed them', async () => {
      const first = { private: true, packageAccess: [{ iin: IIN }], signWholePackage: true }
      const { packageId } = await register(first, personCaller())
      expect(await change(personCaller(), packageId, { packageSettings: [{ bin: BIN }] })).to.deep.equal({ packageId })
      expect((await view(personCaller(), packageId)).settings).to.deep.equal({
        ...DEFAULTS,
        packageSettings: [{ bin: BIN }],
      })
      await change(headCaller(), packageId, {})
      expect((await view(personCaller(), packageId)).settings).to.deep.equal(DEFAULTS)

      const { eventsTotal, events } = await audit(personCaller(), packageId)
      expect(eventsTotal).to.equal(2)
      expect(events.map(({ original, modified, modifiedBy }) => ({ original, modified, modifiedBy }))).to.deep.equal([
        {
          original: { ...DEFAULTS, ...first },
          modified: { ...DEFAULTS, packageSettings: [{ bin: BIN }] },
          modifiedBy: IIN,
        },
        { original: { ...DEFAULTS, packageSettings: [{ bin: BIN }] }, modified: DEFAULTS, modifiedBy: IIN },
      ])
      const rest = await audit(personCaller(), packageId, events[0]?.eventId)
      expect(rest).to.deep.equal({ packageId, eventsTotal: 2, events: events.slice(1) })
    })

    it('lose no change when several race: each event begins where the one before it ended', async () => {
      const { packageId } = await register({}, personCaller())
      const changes = Array.from({ length: 8 }, (_, at) =>
        change(personCaller(), packageId, { packageAccess: [{ iin: `IIN90010130000${at}` }] }),
      )
      await Promise.all(changes)
      const { events } = await audit(personCaller(), packageId)
      expect(events.length).to.equal(8)
      for (const [at, event] of events.slice(1).entries()) {
        expect(event.original).to.deep.equal(events[at]?.modified)
      }
    })

    it('refuse malformed and unknown identifiers, and invalid settings', async () => {
      expect(await codeOf(view(anonymous, 'x'))).to.equal('invalidPackageIdentifier')
      expect(await codeOf(view(anonymous, UNKNOWN))).to.equal('packageNotFound')
      expect(await codeOf(change(personCaller(), UNKNOWN, {}))).to.equal('packageNotFound')
      expect(await codeOf(audit(personCaller(), UNKNOWN))).to.equal('packageNotFound')
      const { packageId } = await register({}, personCaller())
      const wrong = change(personCaller(), packageId, { packageAccess: [{ iin: '900101300010' }] })
      expect((await rejectionOf(wrong)).details).to.deep.equal({ setting: 'packageAccess' })
    })
  })
})
