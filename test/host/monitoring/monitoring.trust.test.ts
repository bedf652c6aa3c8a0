import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRegistry } from '@signed-registry/core'

import { onlineAuthorities } from '@signed-registry/online-authorities'
import { expect } from 'chai'
import { buildApp, Measurements } from '#host/index.js'
import { MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustingApi } from '../../support/trusting-api.js'

describe('trust anchors in operation', () => {
  it('that cannot be loaded again are reported by /readyz and /metrics, and the host goes on with the last good ones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trust-'))
    const [root] = testAuthorities().anchors
    writeFileSync(join(folder, 'root.cer'), root as Buffer)
    const clock = testClock()
    const measurements = new Measurements()
    const registry = await createRegistry({
      database: `sqlite:${join(folder, 'registry.sqlite')}`,
      clock,
      plugins: [onlineAuthorities({ tspUrl: 'http://tsp.example/', trustAnchors: folder }), measurements.plugin],
    })
    const app = await buildApp(registry, { logLevel: 'silent', measurements, ...trustingApi })
    const look = async () => {
      const { statusCode, body } = await app.inject('/readyz')
      const metrics = (await app.inject('/metrics')).body
      const figure = (name: string) => Number(new RegExp(`^registry_trust_${name} (.*)$`, 'm').exec(metrics)?.[1])
      const figures = [figure('anchors'), figure('loaded_seconds'), figure('stale')]
      return { statusCode, trust: JSON.parse(body).trust, figures }
    }
    try {
      expect(await look()).to.deep.equal({ statusCode: 200, trust: 'ok', figures: [1, NOW / 1000, 0] })
      writeFileSync(join(folder, 'broken.pem'), 'text')
      clock.time += MINUTE
      expect(await look()).to.deep.equal({ statusCode: 200, trust: 'stale', figures: [1, NOW / 1000, 1] })
      rmSync(join(folder, 'broken.pem'))
      clock.time += MINUTE
      const later = (NOW + 2 * MINUTE) / 1000
      expect(await look()).to.deep.equal({ statusCode: 200, trust: 'ok', figures: [1, later, 0] })
    } finally {
      await app.close()
      await registry.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
