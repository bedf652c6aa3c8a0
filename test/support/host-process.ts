import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../host/dist/main.js', import.meta.url))

/** The stock host as a process of its own. */
export interface HostProcess {
  readonly child: ChildProcess
  /** Address that it said it listens at; rejects when it ends without listening. */
  readonly url: Promise<string>
  /** Everything it wrote to standard error, when it has ended. */
  readonly errors: Promise<string>
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Starts the stock host with this environment, on a free port unless told otherwise. */
export function startHostProcess(env: NodeJS.ProcessEnv): HostProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', PORT: '0', MTLS_PORT: '0', RATE_LIMIT_ANONYMOUS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => {
    running.delete(child)
    return code ?? null
  })
  const errors = text(child.stderr)
  const url = readUrl(child.stdout)
  url.catch(() => undefined)
  return {
    child,
    url,
    errors,
    end(signal) {
      child.kill(signal)
      return exit
    },
  }
}

/** Kills what a failed test has left. */
export function killHostProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

async function readUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  let said = ''
  for await (const chunk of stdout) {
    said += chunk
    const url = /The registry is at (\S+)\n/.exec(said)?.[1]
    if (url !== undefined) {
      stdout.resume()
      return url
    }
  }
  throw new Error('The host ended before it listened')
}
