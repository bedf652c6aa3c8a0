import { Deliveries, type Plugin, type Registry } from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { something, TestChannel } from '../../support/deliveries.js'
import { onGalera } from '../../support/galera.js'
import { amount, exhaustive } from '../../support/sweep.js'
import { until } from '../../support/until.js'

const WAITING = amount(3000, 20_000)
const TARGETS = 50
const AT_ONCE = 100
const NODES = [0, 1]
/**
 * Of the claims of two hosts, those that are undone for what the other has committed: a third without shares, 0.02 is the aim. A machine
 * with ten times its work has 0.025, since transactions take longer and meet more often. A sample has too few claims to tell.
 */
const MAX_LOST = 0.1

onGalera('deliveries of hosts at two nodes of a Galera cluster', (galera) => {
  it('go out once each, and the hosts lose next to none of their claims to each other', async () => {
    const databases = await galera().createDatabase()
    const channels = NODES.map(() => new TestChannel())
    const open = (node: number, plugins: readonly Plugin[]) =>
      registryWithoutAuthorities(databases[node] ?? '', { deliveryTimes: { pollMs: 100 } }, plugins)
    const maker = await open(2, [])
    const hosts: Registry[] = []
    for (const [node, { plugin }] of channels.entries()) hosts.push(await open(node, [plugin]))
    let claims = 0
    for (const host of hosts) {
      const queue = host.get(DeliveryQueue)
      const claim = queue.claim.bind(queue)
      queue.claim = async (...some) => {
        const claimed = await claim(...some)
        if (claimed.length > 0) claims += 1
        return claimed
      }
      host.start()
    }
    const known = () => maker.get(Database).query('registry_delivery_hosts').where({ channel: 'test' })
    await until(async () => (await known()).length === hosts.length)
    const lost = async () => (await Promise.all(NODES.map((node) => galera().lost(node)))).reduce((a, b) => a + b)
    const before = await lost()
    const ids: string[] = []
    for (let made = 0; made < WAITING; made += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => something({ target: `target ${(made + n) % TARGETS}` }))
      ids.push(...(await maker.get(Database).transaction(() => maker.get(Deliveries).add(some))))
    }
    await until(async () => (await maker.get(DeliveryQueue).depth('test')).pending === 0)
    const undone = (await lost()) - before
    await Promise.all([...hosts, maker].map((registry) => registry.close()))
    const got = channels.map((channel) => channel.got.map(({ id }) => id))
    expect(got.flat().toSorted()).to.deep.equal(ids.toSorted())
    if (exhaustive) expect(undone / (undone + claims), `${undone} of ${claims}`).to.be.below(MAX_LOST)
  })
})
