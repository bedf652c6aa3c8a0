import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Each supported line of Node, with the npm that it brings. */
export const NODES = { 20: 'npm@10', 22: 'npm@10', 24: 'npm@11' }
export const MANAGERS = { npm: '', pnpm: 'pnpm@10', yarn: 'yarn@1' }
/** Settings of npm on this machine say nothing of one that just has Node; how the network is reached stays. */
const KEPT = /^npm_config_(fetch_.*|cafile|(https?_?|no)?proxy)$/i

/** What a machine with this Node has: an environment whose home is empty, and whose package registry is the local one. */
export function machine(folder, node, { url, npmrc }) {
  const tools = join(folder, `node-${node}`)
  const home = join(tools, 'home')
  mkdirSync(home, { recursive: true })
  const packages = [`node@${node}`, NODES[node], ...Object.values(MANAGERS).filter((name) => name !== '')]
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', tools, ...packages], {
    cwd: tools,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(join(home, '.npmrc'), `${npmrc}audit=false\nfund=false\nengine-strict=true\nupdate-notifier=false\n`)
  writeFileSync(join(home, '.yarnrc'), `registry "${url}"\n`)
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm|yarn|pnpm)_/i.test(name) || KEPT.test(name)),
  )
  return {
    ...env,
    PATH: `${join(tools, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: home,
    // Folders that are named by these would be shared with other users of this machine.
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    PORT: '0',
    MTLS_PORT: 'off',
  }
}
