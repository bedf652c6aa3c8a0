import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Buildah } from './buildah.js'
import { onPath } from './programs.js'

const run = promisify(execFile)
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/** What the images of Node have that our Dockerfile uses; the package manager asks by the authorities of this machine. */
const BASE = `FROM scratch
ADD debian.tar /
COPY node_modules/node/bin/node /usr/local/bin/
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
 && mkdir -p /usr/local/etc && echo cafile=${AUTHORITIES} >/usr/local/etc/npmrc \\
 && cp /usr/share/base-passwd/passwd.master /etc/passwd && cp /usr/share/base-passwd/group.master /etc/group \\
 && echo node:x:1000:1000::/home/node:/bin/sh >>/etc/passwd && echo node:x:1000: >>/etc/group \\
 && install -d -o node -g node /home/node
`

/** Makes the images that a Dockerfile begins with, `node:24` and `node:24-slim`, of Debian and the npm package `node`. */
export async function makeBaseImages(buildah: Buildah, dockerfile: string): Promise<void> {
  const names = [...dockerfile.matchAll(/^FROM (node:(\d+)\S*)/gm)].map(([, name = '', line = '']) => ({ name, line }))
  const lines = new Set(names.map(({ line }) => line))
  if (lines.size !== 1) throw new Error(`The Dockerfile has to be of one line of Node, not of ${[...lines].join(', ')}`)
  const folder = join(buildah.folder, 'base')
  mkdirSync(folder)
  writeFileSync(join(folder, 'Dockerfile'), BASE)
  const quiet = ['--silent', '--no-audit', '--no-fund', '--no-save']
  await Promise.all([
    makeDebian(join(folder, 'debian.tar')),
    run('npm', ['install', ...quiet, '--prefix', folder, `node@${[...lines][0]}`, 'npm@11']),
  ])
  const [first = '', ...others] = names.map(({ name }) => `docker.io/library/${name}`)
  await buildah.build(first, folder)
  await buildah.run('tag', first, ...others)
  rmSync(folder, { recursive: true })
}

/** What building needs of this machine: its authorities, and the packages that npm has already. */
export async function machineVolumes(): Promise<string[]> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'])
  return [`${AUTHORITIES}:${AUTHORITIES}:ro`, `${stdout.trim()}/_cacache:/root/.npm/_cacache`]
}

/** Unpacked, and not installed: that takes a sixth of the time. */
async function makeDebian(file: string): Promise<void> {
  const packages = ['base-files', 'base-passwd', 'coreutils', 'dash', 'libatomic1', 'libstdc++6']
  const links = '/usr/share/mmdebstrap/hooks/merged-usr/setup00.sh "$1"'
  const args = ['--quiet', '--mode=root', '--variant=extract', `--include=${packages.join(',')}`]
  await run(onPath('mmdebstrap') ?? 'mmdebstrap', [...args, `--setup-hook=${links}`, 'bookworm', file])
}
