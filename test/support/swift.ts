import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { freePort } from './free-port.js'
import type { ObjectStore } from './object-store.js'
import { onPath } from './programs.js'

/** True where OpenStack Swift with its S3 interface is installed, and memcached, which its log-in needs. */
export const swiftIsInstalled = ['swift-proxy-server', 'swift-object-server', 'memcached'].every(
  (program) => onPath(program) !== undefined,
)

const SERVERS = ['account', 'container', 'object'] as const
const ACCESS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
/** Its objects need extended attributes, which file systems in memory often lack. */
const DISK = '/var/tmp'

/** Debian's, whose modules Swift is. */
const PYTHON = '/usr/bin/python3'
/** `swift-ring-builder` makes the same by nine processes, which take three seconds. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for server, port in zip(${JSON.stringify(SERVERS)}, sys.argv[2:]):
    ring = RingBuilder(4, 1, 0)
    ring.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 100})
    ring.rebalance()
    ring.get_ring().save(f'{folder}/{server}.ring.gz')
`

/** Starts OpenStack Swift in a temporary folder. */
export async function startSwift(): Promise<ObjectStore> {
  const folder = mkdtempSync(join(DISK, 'registry-swift-'))
  const [proxy, cache] = [await freePort(), await freePort()]
  const ports = await Promise.all(SERVERS.map(freePort))
  mkdirSync(join(folder, 'dev/d1'), { recursive: true })
  for (const [at, server] of SERVERS.entries())
    writeFileSync(join(folder, `${server}.conf`), serverConfig(folder, server, ports[at] ?? 0))
  execFileSync(PYTHON, ['-c', RINGS, folder, ...ports.map(String)])
  writeFileSync(join(folder, 'proxy.conf'), proxyConfig(folder, proxy, cache))
  const endpoint = `http://127.0.0.1:${proxy}`
  let children: ChildProcess[] = []
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', killAll)
  const swift: ObjectStore = {
    async createBucket() {
      const bucket = `b${Math.random().toString(36).slice(2, 12)}`
      await until(async () => (await client().fetch(`${endpoint}/${bucket}`, { method: 'PUT' })).status === 200)
      return { endpoint, bucket, ...ACCESS }
    },
    async kill() {
      const ended = children.map((child) => once(child, 'exit'))
      killAll()
      await Promise.all(ended)
      children = []
    },
    async start() {
      const log = openSync(join(folder, 'log'), 'a')
      const run = (program: string, ...args: string[]) =>
        spawn(onPath(program) ?? program, args, { stdio: ['ignore', log, log] })
      children = [
        run('memcached', '-l', '127.0.0.1', '-p', String(cache), '-u', userInfo().username),
        ...['proxy', ...SERVERS].map((server) =>
          run(`swift-${server}-server`, join(folder, `${server}.conf`), 'verbose'),
        ),
      ]
      await untilItServes(endpoint, children, join(folder, 'log'))
    },
    async stop() {
      await swift.kill()
      process.off('exit', killAll)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await swift.start()
  return swift
}

const client = () => new AwsClient({ ...ACCESS, service: 's3', region: 'us-east-1', retries: 0 })

const serverConfig = (folder: string, server: string, port: number) => `${defaults(folder, port)}
devices = ${folder}/dev
mount_check = false
fallocate_reserve = 0
# An object server that has waited longer for the listing answers without it, and nobody here brings it up to date.
conn_timeout = 60
node_timeout = 60
container_update_timeout = 60
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
`

const defaults = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
log_level = ERROR`

function proxyConfig(folder: string, port: number, cache: number): string {
  const filters = ['catch_errors', 'gatekeeper', 'cache', 'listing_formats', 'bulk', 's3api', 'tempauth', 'slo']
  const settings: Readonly<Record<string, string>> = {
    cache: `use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${cache}`,
    tempauth: `use = egg:swift#tempauth\nuser_test_tester = ${ACCESS.secretAccessKey} .admin`,
    s3api: 'use = egg:swift#s3api\nlocation = us-east-1\nmin_segment_size = 1',
  }
  return `${defaults(folder, port)}
[pipeline:main]
pipeline = ${filters.join(' ')} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 1000000
${filters.map((name) => `[filter:${name}]\n${settings[name] ?? `use = egg:swift#${name}`}\n`).join('')}`
}

/** The servers of accounts, containers and objects begin each in its own time: one of each kind has to answer. */
async function untilItServes(endpoint: string, children: readonly ChildProcess[], log: string): Promise<void> {
  const answers = async (method: string, path: string, body?: string) => {
    if (children.some(({ exitCode }) => exitCode !== null)) {
      throw new Error(`Swift ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    const answer = await client()
      .fetch(`${endpoint}${path}`, { method, ...(body && { body }) })
      .catch(() => undefined)
    await answer?.arrayBuffer()
    return answer !== undefined && answer.status < 500
  }
  await until(() => answers('GET', '/'))
  await until(() => answers('PUT', '/ready'))
  await until(() => answers('PUT', '/ready/object', 'ready'))
  await until(() => answers('GET', '/ready/object'))
}

/** Servers behind the first one begin to answer when they are ready, and not before. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(50)
}
