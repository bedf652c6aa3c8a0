import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../node_modules/verdaccio/bin/verdaccio', import.meta.url))

/**
 * A package registry of this machine, in a folder: it has what is published to it, and asks the public one for the rest. Our names
 * are never asked elsewhere.
 */
export async function startLocalRegistry(folder, uplink) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { npm: { url: uplink, maxage: '60m', timeout: '60s', max_fails: 10 } },
    packages: {
      '@signed-registry/*': { access: '$all', publish: '$all' },
      'create-signed-registry-plugin': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'npm' },
    },
    // The largest package has pages and pictures.
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  }
  const file = join(folder, 'config.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config))
  const child = spawn(process.execPath, [program, '--config', file, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}/`
  while (!(await answers(`${url}-/ping`))) {
    if (child.exitCode !== null) throw new Error(`verdaccio ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    /** What npm needs to publish: any token, since anybody may here. */
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=anybody\n`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
