import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { giveDevAuthorities } from './dev-authorities-folder.js'

/** The bundle, if the run has made one: it starts in two thirds of the time. */
const main = process.env.TEST_HOST ?? fileURLToPath(import.meta.resolve('#host/main.js'))

/** The stock host as a process of its own. */
export interface HostProcess {
  readonly child: ChildProcess
  /** Address that it said it listens at; rejects when it ends without listening. */
  readonly url: Promise<string>
  /** Address for information systems; rejects when there is none. */
  readonly systemsUrl: Promise<string>
  /** What it wrote to standard output until it listened. */
  readonly greeting: Promise<string>
  /** Everything it wrote to standard error, when it has ended. */
  readonly errors: Promise<string>
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()

/**
 * Starts the stock host with this environment, as `npm start` does, on a free port unless told otherwise; or another program that
 * greets as it does. With `memory` the kernel gives it no more than so many bytes.
 */
export function startHostProcess(
  env: NodeJS.ProcessEnv,
  program: readonly string[] = ['--max-semi-space-size=32', main],
  { memory }: { readonly memory?: number } = {},
): HostProcess {
  if (env.DATA_DIR !== undefined) giveDevAuthorities(env.DATA_DIR)
  const command = [process.execPath, ...program]
  const [name = '', ...rest] =
    memory === undefined ? command : ['sh', '-c', `ulimit -d ${memory / 1024}; exec "$0" "$@"`, ...command]
  const child = spawn(name, rest, {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'silent',
      PORT: '0',
      MTLS_PORT: '0',
      RATE_LIMIT_ANONYMOUS: '0',
      DEV_AUTHORITIES: 'yes',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => {
    running.delete(child)
    return code ?? null
  })
  const errors = text(child.stderr)
  const greeting = readGreeting(child.stdout)
  const addressIn = async (words: RegExp) => {
    const found = words.exec(await greeting)?.[1]
    if (found === undefined) throw new Error(`The host did not say: ${words}`)
    return found
  }
  const url = addressIn(AT)
  const systemsUrl = addressIn(/"systemsUrl":"([^"]+)"/)
  for (const address of [url, systemsUrl]) address.catch(() => undefined)
  return {
    child,
    url,
    systemsUrl,
    greeting,
    errors,
    end(signal) {
      child.kill(signal)
      return exit
    },
  }
}

/** Kills processes left behind by a failed test. */
export function killHostProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Where the registry is; the words end in a line of the log, or of another program. */
export const AT = /The registry is at ([^\s"]+)[^\n]*\n/

/** What the host says when it listens. */
async function readGreeting(stdout: Readable): Promise<string> {
  let said = ''
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += chunk
    if (AT.test(said)) {
      stdout.resume()
      return said
    }
  }
  throw new Error('The host ended before it listened')
}
