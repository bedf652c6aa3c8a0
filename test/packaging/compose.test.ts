import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { onPath } from '../support/programs.js'
import { STATEMENT_KEY } from '../support/statement-key.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deployed = (name: string) => readFileSync(join(root, name), 'utf8')
const compose = onPath('docker-compose')
const suite = compose !== undefined || process.env.REQUIRE_COMPOSE === '1' ? describe : describe.skip

/** What `cluster.env` has to say. */
const CLUSTER = {
  DATABASE_PASSWORD: 'a',
  DATABASE_ROOT_PASSWORD: 'b',
  BASE_URL: 'https://registry.example',
  SESSION_SECRET: 's'.repeat(32),
  LOG_ORIGIN: 'registry.example/log',
  STORE_SECRET: 'c',
  ARCHIVE_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
  TSP_URL: 'http://tsp.example',
  OCSP_URL: 'http://ocsp.example',
}

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly (string | { readonly published: number; readonly target: number })[]
  readonly volumes?: readonly string[]
  readonly networks?: { readonly inside: { readonly ipv4_address: string } | null }
}

/** The file as docker-compose understands it, with these variables; it brings Debian's Python and its reader of YAML. */
function services(file: string, env: NodeJS.ProcessEnv): Readonly<Record<string, Service>> {
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, ...env }, cwd: root } as const
  const yaml = execFileSync(compose ?? 'docker-compose', ['--file', file, 'config'], { ...options, stdio: 'pipe' })
  const toJson = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', toJson], { ...options, input: yaml })).services
}

suite('docker-compose', () => {
  const files = { 'compose.yaml': {}, 'deploy/compose.cluster.yaml': CLUSTER }
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-compose-'))
    for (const name of ['anchors', 'keys', 'data']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'anchors/root.pem'), testAuthorities().system().certificatePem)
    for (const name of ['statement.key', 'log.key']) writeFileSync(join(folder, 'keys', name), STATEMENT_KEY)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [file, env] of Object.entries(files)) {
    let all: Readonly<Record<string, Service>>
    before(() => {
      all = services(file, env)
    })

    it(`reads ${file}: hosts start with its variables, and what it mounts is there`, () => {
      const hosts = Object.values(all).filter(({ build }) => build !== undefined)
      expect(hosts).to.not.deep.equal([])
      for (const { environment = {}, volumes = [], build } of hosts) {
        expect(join(build?.context ?? '', '.')).to.equal(join(root, '.'))
        const mounted = volumes.map((volume) => volume.split(':')[1] ?? '')
        expect(mounted).to.include('/data')
        const here = Object.entries(environment).map(([name, value]) => {
          const within = value.startsWith('/') ? mounted.find((path) => `${value}/`.startsWith(`${path}/`)) : ''
          expect(within, `${name}: ${value} is mounted`).to.not.equal(undefined)
          return [name, value.startsWith('/') ? join(folder, value) : value]
        })
        const { databaseUrl } = readConfig({
          ...Object.fromEntries(here),
          DATA_DIR: join(folder, 'data'),
          HOST: '0.0.0.0',
        })
        expect(Object.keys(all)).to.include(new URL(databaseUrl).hostname)
      }
    })

    it(`finds in ${file} images with their versions, and files that are in the repository or that its comments name`, () => {
      for (const [name, { image, build, volumes = [] }] of Object.entries(all)) {
        expect(image ?? 'built:1', name).to.match(/:v?\d/)
        for (const [path = ''] of volumes
          .map((volume) => volume.split(':'))
          .filter(([from = '']) => from.startsWith('/'))) {
          const own = path.slice(join(root, 'deploy/').length)
          expect(existsSync(path) || deployed(file).includes(own), `${name}: ${own} ${build}`).to.equal(true)
        }
      }
    })
  }

  it('puts a proxy in front of the cluster that finds its hosts, and that they trust', () => {
    const { proxy, ...others } = services('deploy/compose.cluster.yaml', CLUSTER)
    const hosts = Object.entries(others).filter(([, { build }]) => build !== undefined)
    const recipe = deployed('deploy/haproxy.cfg')
    const all = (words: RegExp) => [...recipe.matchAll(words)].map(([, found]) => found)
    expect(all(/^ +server \S+ (\S+)$/gm)).to.deep.equal(hosts.map(([name]) => `${name}:8080`))
    expect(all(/^ +bind :(\d+) /gm)).to.deep.equal(proxy?.ports?.map((port) => String(Object(port).target)))
    expect(proxy?.volumes?.map((volume) => volume.split(':')[1])).to.include.members(all(/^ +crt-base (\S+)$/gm))
    for (const [name, { environment }] of hosts)
      expect(environment).to.include({
        PEER_URL: `http://${name}:8080`,
        TRUSTED_PROXIES: proxy?.networks?.inside?.ipv4_address,
      })
    const [, { environment }] = hosts[0] ?? ['', {}]
    expect(Object.keys(others)).to.include(new URL(environment?.ARCHIVE_URL ?? '').hostname)
  })

  it('starts nothing of the cluster while a variable is missing', () => {
    const needed = [...deployed('deploy/compose.cluster.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name)
    expect(new Set(needed)).to.deep.equal(new Set(Object.keys(CLUSTER)))
    expect(() => services('deploy/compose.cluster.yaml', { ...CLUSTER, ARCHIVE_KEYS: '' })).to.throw('ARCHIVE_KEYS')
  })
})
