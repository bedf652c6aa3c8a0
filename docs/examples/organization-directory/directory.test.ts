import { anonymous, createRegistry, definePlugin, provideValue, type Registry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Type } from 'typebox'
import { organizationDirectory } from './directory.js'
import { GetOrganizationName } from './get-organization-name.js'
import { OrganizationDirectory } from './ports.js'

const DAY = 24 * 60 * 60 * 1000

describe('the example of a plugin kind', () => {
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
  let asked = 0
  const counting = definePlugin({
    name: 'counting',
    options: Type.Object({}),
    parts: () => ({
      provides: [
        provideValue(OrganizationDirectory, {
          nameOf: async (bin) => {
            asked += 1
            return bin === '123456789021' ? 'Жұлдыз ЖШС' : undefined
          },
        }),
      ],
    }),
  })
  let registry: Registry
  const name = (bin: string) => registry.get(GetOrganizationName).execute(anonymous, { bin })
  before(async () => {
    const plugins = [devAuthorities({}), organizationDirectory({ keptDays: 30 }), counting({})]
    registry = await createRegistry({ database: 'sqlite::memory:', clock, plugins })
  })
  after(() => registry.close())

  it('answers a name, and asks the directory again only when it is old', async () => {
    for (const later of [0, 29 * DAY, 2 * DAY]) {
      clock.time += later
      expect(await name('123456789021')).to.deep.equal({ name: 'Жұлдыз ЖШС' })
    }
    expect(asked).to.equal(2)
  })

  it('answers an unknown organization with its own error', async () => {
    const refused = await name('000000000000').catch((error: unknown) => error)
    expect(refused).to.include({ code: 'organizationUnknown' })
  })

  it('is among the operations of the registry', () => {
    expect(registry.operations.map(({ id }) => id)).to.include('getOrganizationName')
  })
})
