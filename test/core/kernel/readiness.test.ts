import { mock } from 'node:test'
import {
  Check,
  type Finding,
  type Logger,
  type Plugin,
  provideValue,
  ReadinessCheck,
  type Registry,
} from '@signed-registry/core'

import { expect } from 'chai'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { until } from '../../support/until.js'

describe('the readiness of a registry', () => {
  let registry: Registry
  const said: unknown[] = []
  const logger: Logger = {
    info: () => undefined,
    warn: (_message, facts) => void said.push(facts?.check),
    error: () => undefined,
  }
  const open = async (check: ReadinessCheck['check']) => {
    const mine: Plugin = { name: 'mine', provides: [provideValue(ReadinessCheck, { name: 'mine', check })] }
    registry = await registryWithoutAuthorities('sqlite::memory:', { logger }, [mine])
    return registry.readiness()
  }
  const openPlugin = async (...checks: readonly Check[]) => {
    const mine: Plugin = { name: 'mine', provides: checks.map((check) => provideValue(Check, check)) }
    registry = await registryWithoutAuthorities('sqlite::memory:', { logger }, [mine])
    return (await registry.readiness()).checks
  }
  afterEach(() => registry.close())

  it('runs the checks that plugins contribute', async () => {
    expect(await open(async () => 'stale')).to.deep.equal({
      ready: false,
      checks: { database: 'ok', log: 'ok', renewal: 'ok', trust: 'failed', mine: 'stale' },
    })
  })

  it('is lost when a check rejects, and the log says which', async () => {
    const { checks } = await open(() => Promise.reject(new Error('no answer')))
    expect(checks.mine).to.equal('failed')
    expect(said).to.include('mine')
  })

  it('is lost when a required check of what a plugin depends on fails, and stale when it warns; it asks no other one', async () => {
    let asked = 0
    const other: Check = {
      name: 'other',
      isRequired: false,
      async check() {
        asked += 1
        return { state: 'fail', text: 'gone' }
      },
    }
    const required = (name: string, state: 'ok' | 'warn' | 'fail'): Check => ({
      name,
      isRequired: true,
      check: async () => [
        { state: 'ok', text: 'there' },
        { state, text: 'look' },
      ],
    })
    const checks = await openPlugin(other, required('good', 'ok'), required('odd', 'warn'), required('bad', 'fail'))
    expect(checks).to.include({ good: 'ok', odd: 'stale', bad: 'failed' }).and.not.have.property('other')
    expect(asked).to.equal(0)
    expect(said).to.include('bad')
  })

  it('asks a database afresh while what was asked before hangs, as over a connection that died', async () => {
    let asked = 0
    const first = open(() => {
      asked += 1
      return asked === 1 ? new Promise(() => undefined) : Promise.resolve('ok')
    })
    await until(async () => asked === 1)
    expect((await registry.readiness()).checks.mine).to.equal('ok')
    expect((await first).checks.mine).to.equal('failed')
  })

  it('begins no check of a plugin again that has not ended', async () => {
    let begun = 0
    let end: ((found: Finding) => void) | undefined
    let isHanging = false
    const hanging: Check = {
      name: 'disk',
      isRequired: true,
      check() {
        begun += 1
        return isHanging ? new Promise((resolve) => (end = resolve)) : Promise.resolve({ state: 'ok', text: 'there' })
      },
    }
    await openPlugin(hanging)
    isHanging = true
    const asked = [registry.readiness(), registry.readiness()]
    end?.({ state: 'ok', text: 'there' })
    expect((await Promise.all(asked)).map(({ checks }) => checks.disk)).to.deep.equal(['ok', 'ok'])
    expect(begun).to.equal(2)
  })

  it('is lost when a check takes longer than two seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const asked = open(() => new Promise(() => mock.timers.tick(2000)))
      expect((await asked).checks.mine).to.equal('failed')
    } finally {
      mock.timers.reset()
    }
  })
})
