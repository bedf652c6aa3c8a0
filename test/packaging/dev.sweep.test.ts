import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const MADE = new Set(['dist', 'bundle', 'node_modules'])

describe('npm run dev', () => {
  let copy: string
  let told = { text: '' }
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'dev-'))
    for (const name of ['core', 'plugins', 'host', 'packaging'])
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !MADE.has(basename(path)) })
    for (const name of ['package.json', 'tsconfig.base.json']) cpSync(join(root, name), join(copy, name))
    for (const name of ['node_modules', 'host/node_modules'])
      if (existsSync(join(root, name))) symlinkSync(join(root, name), join(copy, name))
  })
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(told.text)
  })
  after(() => rmSync(copy, { recursive: true }))

  /** Starts it in a process group of its own, and collects its output. */
  function start() {
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: join(copy, 'data'),
      PORT: '0',
      MTLS_PORT: 'off',
      DEV_AUTHORITIES: 'yes',
    }
    giveDevAuthorities(env.DATA_DIR)
    const program = spawn(process.execPath, [join(copy, 'packaging/dev.mjs')], { env, detached: true })
    const output = { text: '' }
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (chunk) => {
        output.text += chunk
      })
    told = output
    const isSaid = (words: RegExp) =>
      until(async () => {
        if (words.test(output.text)) return true
        expect(program.exitCode, output.text).to.equal(null)
        return false
      })
    return { program, output, isSaid }
  }

  it('starts the host again when its sources change, and leaves it alone when they do not compile', async function () {
    this.timeout(600_000)
    const { program, output, isSaid } = start()
    const main = join(copy, 'host/src/main.ts')
    const source = readFileSync(main, 'utf8')
    try {
      await isSaid(/The registry is at/)
      writeFileSync(main, `${source}process.stdout.write(`)
      await isSaid(/error TS/)
      const [, url] = /The registry is at ([^\s"]+)/.exec(output.text) ?? []
      expect((await fetch(`${url}/readyz`)).status).to.equal(200)
      writeFileSync(main, `process.stdout.write('changed')\n${source}`)
      await isSaid(/changed[\s\S]*The registry is at/)
    } finally {
      program.kill()
      await once(program, 'exit')
    }
  })

  it('leaves no host behind when it is ended while the host stops for a change', async function () {
    this.timeout(600_000)
    const { program, output, isSaid } = start()
    const group = -Number(program.pid)
    try {
      await isSaid(/"pid":\d+/)
      const host = Number(/"pid":(\d+)/.exec(output.text)?.[1])
      process.kill(host, 'SIGSTOP')
      const main = join(copy, 'host/src/main.ts')
      writeFileSync(main, `${readFileSync(main, 'utf8')}\nprocess.stdout.write('changed')\n`)
      await until(async () => isToEnd(host))
      program.kill()
      process.kill(host, 'SIGCONT')
      await once(program, 'exit')
      expect(commandsOf(group)).to.not.include('signed-registry.js')
    } finally {
      try {
        process.kill(group, 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
  })
})

/** True when a stopped process has been sent SIGTERM. */
function isToEnd(pid: number): boolean {
  const pending = /^ShdPnd:\s+(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number.parseInt(pending ?? '0', 16) & (1 << (constants.signals.SIGTERM - 1))) !== 0
}

/** The command lines of the processes in a group. */
const commandsOf = (group: number): string =>
  spawnSync('ps', ['-o', 'args=', '-g', String(-group)], { encoding: 'utf8' }).stdout
