import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from '@signed-registry/core'
import { expect } from 'chai'
import { onGalera } from './galera.js'
import { LoadedHosts } from './galera-load.js'

/** How often each fault comes, at one node after the other. */
export interface Faults {
  readonly kills: number
  readonly partitions: number
  readonly losses: number
  readonly restarts: number
  readonly upgrades: number
}

const NODES = 3
/** Registrations between one fault and the next. */
const BETWEEN = 20
/** A node that is silent for two seconds is taken for lost; unless told otherwise after five. */
const SOON = ['evs.keepalive_period=PT0.5S', 'evs.suspect_timeout=PT2S', 'evs.inactive_timeout=PT6S']

/** Declares the suite: whatever happens to a node, nothing acknowledged is lost, and nothing is doubled. */
export function faultsOfNodes({ kills, partitions, losses, restarts, upgrades }: Faults, log: (line: string) => void) {
  onGalera(
    'hosts at nodes of a Galera cluster under load',
    (galera) => {
      /** Does so many times to one node after the other what leaves it as it was, while the load goes on. */
      const lose = async (what: string, times: number, fault: (node: number, hosts: LoadedHosts) => Promise<void>) => {
        const hosts = await LoadedHosts.start(await galera().createDatabase())
        try {
          for (let time = 0; time < times; time++) {
            await hosts.acknowledged(BETWEEN)
            const began = performance.now()
            await fault(time % NODES, hosts)
            log(`${what}: node ${time % NODES}, ${time + 1} of ${times}, ${Math.round(performance.now() - began)} ms`)
          }
          await hosts.acknowledged(BETWEEN)
          log(`${what}: ${await hosts.prove()} acknowledged, 0 lost, 0 doubled`)
        } finally {
          await hosts.close()
        }
      }

      const proves = (when: string, count: number, run: () => Promise<void>) =>
        (count > 0 ? it : it.skip)(`lose nothing when ${when} (${count})`, run)

      proves('nodes are killed', kills, () =>
        lose('killed', kills, async (node, hosts) => {
          await galera().end(node, 'SIGKILL')
          await hosts.acknowledged(BETWEEN)
          await galera().start(node)
        }),
      )

      proves('nodes are cut off from the others', partitions, () =>
        lose('cut off', partitions, async (node, hosts) => {
          await galera().isolate(node)
          await hosts.acknowledged(BETWEEN)
          await galera().join(node)
        }),
      )

      proves('nodes lose their data and get it from others', losses, () =>
        lose('without its data', losses, async (node, hosts) => {
          await galera().end(node, 'SIGKILL')
          await hosts.acknowledged(BETWEEN)
          await galera().start(node, 'nothing')
        }),
      )

      proves('nodes are restarted one after the other', restarts, () =>
        lose('restarted', restarts, async (node) => {
          await galera().end(node, 'SIGTERM')
          await galera().start(node)
        }),
      )

      proves('hosts are replaced, and the first new one changes the schema', upgrades, async () => {
        const changed: string[] = []
        await lose('replaced', upgrades, (node, hosts) => hosts.replaceHost(node, [later(changed)]))
        expect(changed).to.deep.equal(['later-columns'])
      })
    },
    SOON,
  )
}

/** What a later version brings: a table of its own, and a column of one that is being written. */
const later = (changed: string[]): Plugin => ({
  name: 'later',
  migrations: {
    'later-columns': {
      async up(knex) {
        changed.push('later-columns')
        if (!(await knex.schema.hasTable('later_things')))
          await knex.schema.createTable('later_things', (table) => void table.string('id', 16).primary())
        if (!(await knex.schema.hasColumn('registry_documents', 'later')))
          await knex.schema.alterTable('registry_documents', (table) => void table.string('later', 16).nullable())
      },
    },
  },
})

const KEPT = process.env.LONG_LOG ?? join(tmpdir(), 'signed-registry-long.log')

/** Says a line, and keeps it in the file of `LONG_LOG`. */
export function keptLog(line: string): void {
  console.log(line)
  appendFileSync(KEPT, `${new Date().toISOString()} ${line}\n`)
}
