import { Deliveries, DeliveryWorkers, type Registry } from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ChannelHosts } from '#core/deliveries/channel-hosts.js'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { something, TestChannel } from '../../support/deliveries.js'
import { testClock } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

const LEASE = 60_000
const WAITING = 400
const HOUR = 60 * 60_000

describe('hosts that take deliveries of one channel', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let passed: number
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
      passed = 0
    })
    afterEach(() => registry.close())

    const join = (channel = 'test') =>
      new ChannelHosts(registry.get(Database), channel, { pollMs: 0, leaseMs: LEASE }, () => passed)
    const sharesOf = async (hosts: readonly ChannelHosts[]) => {
      for (const host of hosts) await host.share()
      const shares = await Promise.all(hosts.map((host) => host.share()))
      return shares.toSorted((a, b) => String(a?.from).localeCompare(String(b?.from), 'en', { numeric: true }))
    }

    it('have everything alone, and disjoint shares together', async () => {
      const one = join()
      expect(await one.share()).to.equal(undefined)
      const shares = await sharesOf([one, join()])
      expect(shares).to.deep.equal([
        { from: '00', to: 'V0' },
        { from: 'V0', to: undefined },
      ])
      expect(await join('other').share()).to.equal(undefined)
    })

    it('leave their shares to others', async () => {
      const [one, other] = [join(), join()]
      expect(await sharesOf([one, other])).not.to.include(undefined)
      await other.leave()
      expect(await one.share()).to.equal(undefined)
    })

    it('lose their shares when they have said nothing for most of a lease, and share again when they come back', async () => {
      const [one, frozen] = [join(), join()]
      await sharesOf([one, frozen])
      passed = LEASE / 2
      expect(await one.share()).not.to.equal(undefined)
      passed = LEASE
      expect(await one.share()).to.equal(undefined)
      expect(await sharesOf([frozen, one])).not.to.include(undefined)
    })

    it('keep their shares for as long as they claim', async () => {
      const hosts = [join(), join()]
      for (passed = 0; passed < 10 * LEASE; passed += LEASE / 5) expect(await sharesOf(hosts)).not.to.include(undefined)
    })

    it('take other names after a while, under which they mostly have other shares', async () => {
      const hosts = [join(), join()]
      const names = () => registry.get(Database).query('registry_delivery_hosts').orderBy('host').pluck('host')
      await sharesOf(hosts)
      const before = await names()
      passed = HOUR
      await sharesOf(hosts)
      expect(await names())
        .to.have.length(2)
        .and.not.include.members(before)
    })

    it('make identifiers in their own shares', async () => {
      const hosts = [join(), join()]
      await sharesOf(hosts)
      for (const host of hosts) {
        const { from = '', to } = (await host.share()) ?? {}
        const id = host.newId()
        expect(id >= from && (to === undefined || id < to), id).to.equal(true)
      }
    })
  })
})

describe('two hosts that deliver from one database', () => {
  forEachDatabase((open) => {
    let hosts: Registry[]
    let channels: TestChannel[]
    let lost: number
    beforeEach(() => {
      hosts = []
      channels = []
      lost = 0
    })
    afterEach(() => Promise.all(hosts.map((host) => host.close())))

    /** A host whose clock is so many milliseconds ahead. */
    const host = async (database: string, ahead = 0, leaseMs = LEASE) => {
      const channel = new TestChannel()
      channels.push(channel)
      const clock = testClock()
      clock.time += ahead
      const options = { clock, deliveryTimes: { pollMs: 20, leaseMs } }
      const registry = await registryWithoutAuthorities(database, options, [channel.plugin])
      hosts.push(registry)
      const queue = registry.get(DeliveryQueue)
      const begin = queue.begin.bind(queue)
      queue.begin = async (claimed) => {
        const begun = await begin(claimed)
        lost += claimed.length - begun.size
        return begun
      }
      return registry
    }
    const make = async (maker: Registry, count = WAITING) => {
      const some = Array.from({ length: count }, (_, n) => something({ target: `target ${n % 20}` }))
      return maker.get(Database).transaction(() => maker.get(Deliveries).add(some))
    }
    const allGone = (registry: Registry) =>
      until(async () => (await registry.get(DeliveryQueue).depth('test')).pending === 0)
    const got = () => channels.flatMap((channel) => channel.got.map(({ id }) => id)).toSorted()

    it('send each once and lose none that they claimed, though their clocks differ', async () => {
      const database = await open()
      const [one, other] = [await host(database), await host(database, LEASE / 2)]
      const maker = await host(database)
      const ids = await make(maker)
      one.start()
      other.start()
      await allGone(maker)
      expect(got()).to.deep.equal(ids.toSorted())
      expect(lost).to.equal(0)
    })

    it('do not wait for one whose clock is slow', async () => {
      const database = await open()
      const [slow, right] = [await host(database, -HOUR), await host(database)]
      slow.start()
      right.start()
      const ids = await make(await host(database, -LEASE))
      await allGone(right)
      expect(got()).to.deep.equal(ids.toSorted())
      expect(channels[0]?.got).to.deep.equal([])
    })

    it('take over what a host leaves that claims no longer, within its lease', async () => {
      const database = await open()
      const [dead, left] = [await host(database, 0, 600), await host(database, 0, 600)]
      // As a host that was killed leaves it.
      const table = dead.get(Database).query('registry_delivery_hosts')
      await table.insert(['0', 'z'].map((name) => ({ channel: 'test', host: name.repeat(16), turn: 7 })))
      left.start()
      const ids = await make(dead)
      await allGone(left)
      expect(got()).to.deep.equal(ids.toSorted())
    })

    it('send at once what they make themselves, however seldom the other looks', async () => {
      const database = await open()
      const [one, other] = [await host(database), await host(database)]
      for (const each of [one, other]) each.start()
      const known = () => one.get(Database).query('registry_delivery_hosts').where({ channel: 'test' })
      if (!database.startsWith('sqlite:')) await until(async () => (await known()).length === 2)
      for (let n = 0; n < 20; n += 1) {
        await make(one, 1)
        await allGone(one)
      }
      expect((await other.get(DeliveryWorkers).depths()).every(({ pending }) => pending === 0)).to.equal(true)
      expect(new Set(got()).size).to.equal(20)
    })

    it('go on sharing when one stops and another joins', async () => {
      const database = await open()
      const [one, other, joining] = [await host(database), await host(database), await host(database)]
      one.start()
      other.start()
      const ids = await make(joining)
      await one.stop()
      joining.start()
      ids.push(...(await make(other)))
      await allGone(other)
      expect(got()).to.deep.equal(ids.toSorted())
    })
  })
})
