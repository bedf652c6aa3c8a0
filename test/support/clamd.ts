import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onPath } from './programs.js'

/** Content that the only signature of the test daemon finds, under the name `Registry.Test`. */
export const INFECTED = Buffer.from('this content is known to the test signature of the registry')

/** The installed daemon, if there is one. */
export const clamdProgram = onPath('clamd')

/** A private ClamAV daemon: its own folder and socket, one signature. */
export interface Clamd {
  /** Path of its socket. */
  readonly socket: string
  stop(): Promise<void>
}

/** Starts a daemon that accepts streams of at most `maxBytes`. */
export async function startClamd({ maxBytes = 4 * 1024 * 1024 } = {}): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-clamd-'))
  chmodSync(folder, 0o755)
  const md5 = createHash('md5').update(INFECTED).digest('hex')
  writeFileSync(join(folder, 'own.hdb'), `${md5}:${INFECTED.length}:Registry.Test\n`)
  const socket = join(folder, 'clamd.sock')
  const settings = {
    LocalSocket: socket,
    DatabaseDirectory: folder,
    Foreground: 'yes',
    PidFile: join(folder, 'clamd.pid'),
    TemporaryDirectory: folder,
    StreamMaxLength: String(maxBytes),
  }
  const file = join(folder, 'clamd.conf')
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  )
  const child = spawn(clamdProgram ?? 'clamd', ['--config-file', file], { stdio: 'ignore' })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  await untilItAnswers(child, socket)
  return {
    socket,
    async stop() {
      const ended = once(child, 'exit')
      killNow()
      await ended
      process.off('exit', killNow)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(child: ChildProcess, path: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`)
    if (statSync(path, { throwIfNoEntry: false })) {
      const socket = connect({ path })
      const answered = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      socket.destroy()
      if (answered) return
    }
    await pause(20)
  }
}
