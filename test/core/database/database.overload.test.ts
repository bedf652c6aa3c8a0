import { mock } from 'node:test'
import { databaseFailure } from '@signed-registry/core'

import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { DatabaseBusy, Turns } from '#core/database/turns.js'
import { forEachDatabase } from '../../support/databases.js'

describe('a database that cannot do its work now', () => {
  const failures = [
    [{ errno: 1040 }, 'unavailable', 'too many connections'],
    [{ errno: 1205 }, 'unavailable', 'a lock that another host holds'],
    [{ errno: 1047 }, 'unavailable', 'a Galera node without the others'],
    [{ errno: 1180 }, 'unavailable', 'a Galera node that loses the others at a commit'],
    [{ fatal: true, errno: -111 }, 'unavailable', 'no server'],
    [{ errcode: 5 }, 'unavailable', 'SQLite that another process locks'],
    [{ errcode: 266 }, 'unavailable', 'a disk that fails to read'],
    [new DatabaseBusy(''), 'unavailable', 'no free connection'],
    [{ errno: 1021 }, 'full', 'a full disk under MySQL'],
    [{ errcode: 13 }, 'full', 'a full disk under SQLite'],
    [{ errno: 1146 }, undefined, 'a table that is not there'],
    [new Error('any'), undefined, 'anything else'],
  ] as const
  for (const [error, failure, what] of failures) {
    it(`differs from a faulty statement: ${what}`, () => expect(databaseFailure(error)).to.equal(failure))
  }

  it('limits concurrent transactions, and runs the others in their order', async () => {
    const turns = new Turns(2, 1000)
    const ended: number[] = []
    let running = 0
    let max = 0
    const work = (n: number) => async () => {
      running += 1
      max = Math.max(max, running)
      await new Promise(setImmediate)
      running -= 1
      ended.push(n)
    }
    await Promise.all([1, 2, 3, 4, 5].map((n) => turns.run(work(n))))
    expect([max, ended]).to.deep.equal([2, [1, 2, 3, 4, 5]])
  })

  it('lets nobody wait for ever, and passes the turn to the next', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const turns = new Turns(1, 1000)
      let release = () => {}
      const first = turns.run(() => new Promise<void>((resolve) => (release = resolve)))
      const second = turns.run(async () => 'second').catch((error: unknown) => error)
      mock.timers.tick(1000)
      expect(await second).to.be.instanceOf(DatabaseBusy)
      const third = turns.run(async () => 'third')
      release()
      expect([await first, await third]).to.deep.equal([undefined, 'third'])
    } finally {
      mock.timers.reset()
    }
  })

  forEachDatabase((open) => {
    it('sets short waits, a time-out for idle transactions, and causal reads in its sessions', async () => {
      const url = await open()
      if (url.startsWith('sqlite:')) return
      const knex = openDatabase(url)
      const [[session]] = await knex.raw(
        'select @@innodb_lock_wait_timeout as waits, @@idle_transaction_timeout as idle, @@tx_isolation as isolation, @@wsrep_sync_wait as waits_for_others',
      )
      await knex.destroy()
      expect({ ...session }).to.deep.equal({ waits: 3, idle: 10, isolation: 'READ-COMMITTED', waits_for_others: 7 })
    })
  })
})
