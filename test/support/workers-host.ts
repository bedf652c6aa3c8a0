import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type HostProcess, startHostProcess } from './host-process.js'
import { until } from './until.js'

/** A line of the log of a host. */
export interface Line {
  readonly msg: string
  readonly worker?: number
  readonly pid: number
  readonly path?: string
}

/** A stock host with several workers, its log, and connections to each of them. */
export interface WorkersHost extends HostProcess {
  readonly lines: readonly Line[]
  /** What was written that is no line of a log. */
  readonly torn: readonly string[]
  /** The process of a worker that listens. */
  pidOf(worker: number): number
  /** A connection that leads to this worker, as long as it is kept. */
  connectionTo(url: string, worker: number): Promise<http.Agent>
}

/** Starts a stock host with workers and gathers its log. */
export function startWorkers(env: NodeJS.ProcessEnv): WorkersHost {
  const host = startHostProcess({ LOG_LEVEL: 'info', WORKERS: '2', ...env })
  const lines: Line[] = []
  const torn: string[] = []
  let rest = ''
  host.child.stdout?.on('data', (chunk: Buffer) => {
    const said = `${rest}${chunk.toString('latin1')}`.split('\n')
    rest = said.pop() ?? ''
    for (const line of said) {
      if (line.startsWith('{') && line.endsWith('}')) lines.push(JSON.parse(line))
      else if (line.includes('"level"')) torn.push(line)
    }
  })
  let probes = 0
  return {
    ...host,
    lines,
    torn,
    pidOf: (worker) => lines.findLast((line) => line.worker === worker && line.msg.startsWith('listening'))?.pid ?? 0,
    async connectionTo(url, worker) {
      for (;;) {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
        probes += 1
        const path = `/probe-${probes}`
        await ask(agent, url, 'GET', path)
        const answered = () => lines.find((line) => line.path === path)
        await until(async () => answered() !== undefined)
        if (answered()?.worker === worker) return agent
        agent.destroy()
      }
    },
  }
}

/** One request over the connection of an agent. */
export async function ask(agent: http.Agent, url: string, method: string, path: string, body?: object) {
  const sent = (url.startsWith('https:') ? https : http).request(`${url}${path}`, {
    agent,
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer]: [http.IncomingMessage] = await Promise.race([
    once(sent, 'response') as Promise<[http.IncomingMessage]>,
    once(sent, 'error').then(([error]: unknown[]) => Promise.reject(error)),
  ])
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return { status: answer.statusCode, text, connection: answer.headers.connection }
}
