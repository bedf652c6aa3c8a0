import {
  Check,
  Clock,
  createRegistry,
  defaultSignaturePolicy,
  givingWay,
  type Injected,
  License,
  type Plugin,
  type Port,
  port,
  provide,
  provideValue,
  SignaturePolicy,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { readConfig, stockPlugins } from '@signed-registry/host'
import { expect } from 'chai'
import { compose } from '#core/kernel/compose.js'
import { Limits } from '#core/kernel/limits.js'
import { area } from '#core/kernel/part.js'
import { watch } from '#core/kernel/service.js'
import { CallStatistics } from '#core/signatures/index.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'

interface Greeter {
  greet(): string
}
const Greeter = port<Greeter>('Greeter', 'required')
const Mood = port<string>('Mood', 'defaulted')
const Guest = port<string>('Guest', 'contribution')

class Host {
  static readonly inject = { greeter: Greeter, guests: Guest }
  constructor(private readonly use: Injected<typeof Host.inject>) {}
  welcome = () => this.use.guests.map((guest) => `${this.use.greeter.greet()} ${guest}`)
}
const house = area({ name: 'house', services: [Host], provides: [provideValue(Mood, 'calm')] })

const greeting = (name: string, word: string): Plugin => ({
  name,
  provides: [provide(Greeter, { make: () => ({ greet: () => word }) })],
})
const guest = (name: string): Plugin => ({ name, provides: [provideValue(Guest, name)] })

describe('a composition', () => {
  it('injects parts by name, and contributions as a list', () => {
    const { get } = compose([house], [greeting('polite', 'Welcome'), guest('Ayan'), guest('Dana')])
    expect(get(Host).welcome()).to.deep.equal(['Welcome Ayan', 'Welcome Dana'])
    expect(get(Host)).to.equal(get(Host))
  })

  it('injects an empty list where nobody contributes', () => {
    expect(
      compose([house], [greeting('polite', 'Welcome')])
        .get(Host)
        .welcome(),
    ).to.deep.equal([])
  })

  it('names every port that nobody provides, with who needs it', () => {
    const Cellar = port<string>('Cellar', 'required')
    class Cook {
      static readonly inject = { greeter: Greeter, cellar: Cellar }
      constructor(readonly use: Injected<typeof Cook.inject>) {}
    }
    expect(() => compose([house, area({ name: 'kitchen', services: [Cook] })], [])).to.throw(
      TypeError,
      'No plugin provides: Greeter (for Host, Cook), Cellar (for Cook)',
    )
  })

  it('names every single port that two plugins provide, and both plugins', () => {
    const moods = [greeting('polite', 'Welcome'), greeting('rude', 'You'), { ...guest('x'), provides: [] }]
    expect(() => compose([house], moods)).to.throw(TypeError, /Greeter is provided by polite and by rude.*Leave one/)
  })

  it('lets a plugin take the place of a default', () => {
    const angry: Plugin = { name: 'angry', provides: [provideValue(Mood, 'angry')] }
    expect(compose([house], [greeting('polite', ''), angry]).get(Mood)).to.equal('angry')
  })

  it('refuses a factory that was not called, and says how to call it', () => {
    expect(() => compose([house], [devAuthorities as unknown as Plugin])).to.throw(TypeError, 'call the factory')
    expect(() => compose([house], [null as unknown as Plugin])).to.throw(TypeError, 'A plugin is made by definePlugin')
  })

  it('refuses two operations or two tasks with the same name', () => {
    class Tick {
      static readonly task = { name: 'tick', schedule: '* * * * *' }
      run = async () => undefined
    }
    const ticking = (name: string): Plugin => ({ name, tasks: [Tick] })
    expect(() => compose([], [ticking('a'), ticking('b')])).to.throw(TypeError, 'Two tasks are called tick')
  })

  it('closes what was made, and nothing that was not', async () => {
    const closed: string[] = []
    const closing = (one: Port<string>, name: string) =>
      provide(one, { make: () => name, close: (part) => void closed.push(part) })
    const Used = port<string>('Used', 'required')
    const Unused = port<string>('Unused', 'required')
    const parts = compose([], [{ name: 'p', provides: [closing(Used, 'used'), closing(Unused, 'unused')] }])
    parts.get(Used)
    await parts.close()
    expect(closed).to.deep.equal(['used'])
  })

  it('hands a part to the watches of its port', () => {
    const loud: Plugin = {
      name: 'loud',
      watches: [watch(Greeter, (by) => ({ greet: () => by.greet().toUpperCase() }))],
    }
    const { get } = compose([house], [greeting('polite', 'Welcome'), loud])
    expect(get(Greeter).greet()).to.equal('WELCOME')
  })
})

describe('a registry', () => {
  const mine: Plugin = {
    name: 'mine',
    provides: [
      provideValue(Limits, { ...Limits.defaults, title: 7 }),
      provideValue(License, { owner: 'BIN123456789021', until: '2030-01-01' }),
      provideValue(CallStatistics, { record: () => undefined }),
      provideValue(SignaturePolicy, { ...defaultSignaturePolicy }),
    ],
  }

  it('takes limits, licence, statistics and signature policy of a plugin in place of its own', async () => {
    const registry = await registryWithoutAuthorities('sqlite::memory:', {}, [mine])
    expect(registry.get(Limits).title).to.equal(7)
    expect(registry.get(License).owner).to.equal('BIN123456789021')
    expect(registry.get(CallStatistics)).to.equal(mine.provides?.[2]?.make({}))
    expect(registry.get(SignaturePolicy)).to.equal(mine.provides?.[3]?.make({}))
    await registry.close()
  })

  it('names the plugin and the option that provide the same port', async () => {
    const clock: Plugin = { name: 'sundial', provides: [provideValue(Clock, testClock())] }
    const refused = await registryWithoutAuthorities('sqlite::memory:', {}, [clock]).catch(String)
    expect(refused).to.include('Clock is provided by sundial and by the options of createRegistry')
  })

  const ownTimestamps: Plugin = {
    name: 'own-timestamps',
    provides: [
      provideValue(TimestampSource, {
        url: 'http://tsa.invalid/',
        timestamp: () => Promise.reject(new Error('never')),
      }),
    ],
  }

  it('names two plugins that provide the same port', async () => {
    const again = { ...devAuthorities({}), name: 'again' }
    expect(() => compose([house], [devAuthorities({}), again])).to.throw(
      TypeError,
      'TrustStore is provided by dev-authorities and by again',
    )
  })

  it('takes one part of another plugin in place of the stock plugins', async () => {
    const plugins = [...stockPlugins(readConfig({ DATA_DIR: '/nowhere' })), ownTimestamps]
    const [stock] = plugins
    expect(stock?.givesWay).to.equal(true)
    const authorities = givingWay(devAuthorities({ authorities: testAuthorities() }))
    const registry = await createRegistry({ database: 'sqlite::memory:', plugins: [authorities, ownTimestamps] })
    expect(registry.get(TimestampSource).url).to.equal('http://tsa.invalid/')
    expect(registry.get(TrustStore).trust().anchors).to.have.length(1)
    await registry.close()
  })

  it('leaves out what a plugin contributes that has given way in everything', async () => {
    const check: Check = { name: 'mine', isRequired: true, check: () => Promise.reject(new Error('not in use')) }
    const policy = provideValue(SignaturePolicy, defaultSignaturePolicy)
    const mine = givingWay({ name: 'mine', provides: [policy, provideValue(Check, check)] })
    const checksOf = async (...plugins: Plugin[]) => {
      const registry = await registryWithoutAuthorities('sqlite::memory:', {}, plugins)
      const { checks } = await registry.readiness().finally(() => registry.close())
      return checks
    }
    expect(await checksOf(mine)).to.include({ mine: 'failed' })
    expect(await checksOf(mine, { name: 'other', provides: [policy] })).to.not.have.property('mine')
  })
})
