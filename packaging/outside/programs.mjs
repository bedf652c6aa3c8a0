import { spawn, spawnSync } from 'node:child_process'

/** Runs a shell command to its end; answers what it printed. What it printed is told when it fails. */
export function shell(command, cwd, env) {
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', command], {
    ...{ cwd, env, encoding: 'utf8', timeout: 600_000 },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command}\n  in ${cwd} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}

/** Starts a shell command that goes on until it is ended; does something with the registry's address that it prints. */
export async function whileRunning(command, cwd, env, use) {
  const child = spawn('bash', ['-euc', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  const address = new Promise((resolve, reject) => {
    const heard = (chunk) => {
      said += chunk
      const [, url] = /The registry is at (http:[^\s"]*[^\s".])[\s".]/.exec(said) ?? []
      if (url !== undefined) resolve(url.replace('[::1]', 'localhost'))
    }
    child.stdout.on('data', heard)
    child.stderr.on('data', heard)
    child.once('exit', (code) => reject(new Error(`${command}\n  in ${cwd} ended with ${code}:\n${said}`)))
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    return await use(await address)
  } finally {
    try {
      // The package manager and all that it started.
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It ended by itself, which was told above.
    }
    await ended
  }
}
