import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { startHostProcess } from '../support/host-process.js'
import { onPath } from '../support/programs.js'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const promtool = onPath('promtool')
const suite = promtool !== undefined || process.env.REQUIRE_PROMTOOL === '1' ? describe : describe.skip

/** What a host tells only now and then: when it has workers or a replica, or after a delivery. */
const SOMETIMES = new Set(['registry_workers_replaced_total', 'registry_replica_reads_total', 'up'])
const METRIC = /\b(?:registry|process|nodejs)_\w+/g

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

describe('docs/runbook.md', () => {
  const rules = read('prometheus/alerts.yaml')
  const { panels }: Dashboard = JSON.parse(read('grafana/registry.json'))
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

  it('says what each alert means and what to do, in the order of the rules', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(sections).to.deep.equal(alerts)
    expect(alerts).to.have.length.above(10)
  })

  it('has alerts and a dashboard of metrics that a host tells', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runbook-'))
    const host = startHostProcess({ DATA_DIR: folder })
    try {
      const url = await host.url
      await fetch(`${url}/api/version`)
      const told = await (await fetch(`${url}/metrics`)).text()
      const names = new Set([...told.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
      const asked = [rules, ...expressions].flatMap((text) => text.match(METRIC) ?? [])
      const unknown = asked
        .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
        .filter((name) => !names.has(name) && !SOMETIMES.has(name))
      expect(unknown).to.deep.equal([])
    } finally {
      await host.end('SIGTERM')
      rmSync(folder, { recursive: true })
    }
  })

  suite('by promtool', () => {
    const check = (...args: string[]) =>
      execFileSync(promtool ?? 'promtool', args, { cwd: join(deploy, 'prometheus'), encoding: 'utf8', stdio: 'pipe' })

    it('has rules and a configuration that Prometheus reads', () => {
      expect(check('check', 'config', 'prometheus.yaml')).to.include(`${alerts.length} rules found`)
    })

    it('raises each alert when it should, and not otherwise', () => {
      const cases = read('prometheus/alerts.test.yaml')
      for (const alert of alerts) {
        const raised = new RegExp(`alertname: ${alert}\\n +exp_alerts:`)
        expect(cases, alert).to.match(raised)
      }
      expect(check('test', 'rules', 'alerts.test.yaml')).to.include('SUCCESS')
    })

    it('has a dashboard whose expressions Prometheus reads', () => {
      const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
      const records = expressions.map((expr, at) => ({ record: `panel:${at}`, expr }))
      writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'panels', rules: records }] }))
      expect(check('check', 'rules', join(folder, 'rules.yaml'))).to.include(`${expressions.length} rules found`)
      rmSync(folder, { recursive: true })
    })
  })
})
