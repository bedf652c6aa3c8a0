import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AwsClient } from 'aws4fetch'
import { freePort } from './free-port.js'
import type { ObjectStore } from './object-store.js'
import { onPath } from './programs.js'
import { until } from './until.js'

const PROGRAMS = ['ceph', 'ceph-authtool', 'monmaptool', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin']

/** True where Ceph is installed with its gateway, which speaks S3. */
export const radosgwIsInstalled = PROGRAMS.every((program) => onPath(program) !== undefined)

const ACCESS = { accessKeyId: 'tester', secretAccessKey: 'testing' }
/** It writes past the cache of the file system, which those in memory lack. */
const DISK = '/var/tmp'
/** Of the file that is its disk; only what is written takes room. */
const DISK_BYTES = 4 * 1024 ** 3

/** Starts a Ceph cluster of one in a temporary folder: a monitor, one store of objects, and the gateway. */
export async function startRadosgw(): Promise<ObjectStore> {
  const folder = mkdtempSync(join(DISK, 'registry-ceph-'))
  const [monitor, gateway] = [await freePort(), await freePort()]
  const endpoint = `http://127.0.0.1:${gateway}`
  let children: ChildProcess[] = []
  const log = openSync(join(folder, 'log'), 'a')
  const started = (program: string, ...args: string[]) => {
    const child = spawn(onPath(program) ?? program, ['-c', join(folder, 'ceph.conf'), '-f', ...args], {
      stdio: ['ignore', log, log],
    })
    children.push(child)
  }
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  const answers = async (method: string, path: string, body?: string) => {
    if (children.some(({ exitCode }) => exitCode !== null))
      throw new Error(`Ceph ended: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2000)}`)
    const answer = await client()
      .fetch(`${endpoint}${path}`, { method, ...(body && { body }) })
      .catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status === 200
  }
  const untilItServes = async () => {
    await until(() => answers('PUT', '/ready'))
    await until(() => answers('PUT', '/ready/object', 'ready'))
  }
  const store: ObjectStore = {
    async createBucket() {
      const bucket = `b${Math.random().toString(36).slice(2, 12)}`
      await until(() => answers('PUT', `/${bucket}`))
      return { endpoint, bucket, ...ACCESS }
    },
    async kill() {
      const gone = children.map((child) => once(child, 'exit'))
      killAll()
      await Promise.all(gone)
      children = []
    },
    async start() {
      started('ceph-mon', '-i', 'a')
      started('ceph-osd', '-i', '0')
      started('radosgw', '-n', 'client.admin')
      await untilItServes()
    },
    async stop() {
      await store.kill()
      process.off('exit', killAll)
      closeSync(log)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  process.once('exit', killAll)
  await makeCluster(folder, monitor, gateway, started)
  started('radosgw', '-n', 'client.admin')
  await untilItServes()
  return store
}

const client = () => new AwsClient({ ...ACCESS, service: 's3', region: 'us-east-1', retries: 0 })

/** Makes the data of the cluster and its user, which the gateway finds in the store of objects. */
async function makeCluster(
  folder: string,
  monitor: number,
  gateway: number,
  started: (program: string, ...args: string[]) => void,
): Promise<void> {
  const [cluster, disk] = [randomUUID(), randomUUID()]
  mkdirSync(join(folder, 'mon'))
  mkdirSync(join(folder, 'osd'))
  writeFileSync(join(folder, 'ceph.conf'), config(folder, cluster, monitor, gateway))
  const run = async (program: string, ...args: string[]) =>
    promisify(execFile)(onPath(program) ?? program, args, { cwd: folder })
  const withKey = (name: string, ...rights: string[]) => [
    ...['keyring', '--gen-key', '-n', name],
    ...rights.flatMap((right) => ['--cap', ...right.split(':')]),
  ]
  await run('ceph-authtool', '-C', ...withKey('mon.', 'mon:allow *'))
  await run('ceph-authtool', ...withKey('client.admin', 'mon:allow *', 'osd:allow *'))
  await run('ceph-authtool', ...withKey('osd.0', 'mon:allow profile osd', 'osd:allow *'))
  await run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, 'monmap')
  await run('ceph-mon', '-c', 'ceph.conf', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring')
  started('ceph-mon', '-i', 'a')
  await run('ceph', '-c', 'ceph.conf', 'osd', 'new', disk)
  await run('ceph-osd', '-c', 'ceph.conf', '--mkfs', '-i', '0', '--osd-uuid', disk)
  started('ceph-osd', '-i', '0')
  const keys = ['--access-key', ACCESS.accessKeyId, '--secret', ACCESS.secretAccessKey]
  const user = ['user', 'create', '--uid', 'tester', '--display-name', 'Tester', ...keys]
  await run('radosgw-admin', '-c', 'ceph.conf', '-n', 'client.admin', ...user)
}

const config = (folder: string, cluster: string, monitor: number, gateway: number) => `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitor}
mon initial members = a
public addr = 127.0.0.1
keyring = ${folder}/keyring
run dir = ${folder}
crash dir = ${folder}
admin socket =
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
mon allow pool size one = true
mon data avail crit = 0
osd pool default size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
bluestore block size = ${DISK_BYTES}
osd memory target = 939524096
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`
