import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { bundledProgram } from './bundle.js'

const PROGRAM = await bundledProgram('log-integrator.js')

/** A host that logs facts of its own and integrates them, as a process. */
export interface LogHost {
  readonly child: ChildProcess
  /** Refs of the facts that it logged, when it has ended. */
  readonly logged: Promise<readonly string[]>
  /** Ends its freeze; one that has not frozen yet never will. */
  wake(): void
}

/** What a host works on, and what happens to it. */
export interface LogHostOptions {
  readonly url: string
  /** Where it keeps the mark of what it signed. */
  readonly folder: string
  /** The key of the log, PEM. */
  readonly key: string
  /** Before which statement it is killed or freezes; never for 0. */
  readonly moment?: number
  readonly fate?: 'kill' | 'freeze'
  /** Rounds after which it ends. */
  readonly rounds?: number
}

/** Starts such a host. */
export function startLogHost({ url, folder, key, moment = 0, fate = 'kill', rounds = 1000 }: LogHostOptions): LogHost {
  const words = [PROGRAM, url, folder, key, String(moment), fate, String(rounds)]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  const logged = once(child, 'exit').then(async ([status, signal]) => {
    if (status !== 0 && signal !== 'SIGKILL') throw new Error(`the host ended by itself with ${status ?? signal}`)
    return [...(await said).matchAll(/^logged (.*)$/gm)].map(([, ref = '']) => ref)
  })
  return { child, logged, wake: () => child.stdin.end() }
}
