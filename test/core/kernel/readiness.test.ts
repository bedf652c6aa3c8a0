import { mock } from 'node:test'
import { type Logger, type Plugin, provideValue, ReadinessCheck, type Registry } from '@signed-registry/core'

import { expect } from 'chai'
import { registryWithoutAuthorities } from '../../support/core-registry.js'

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
