import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { postJson, request } from '../support/http.js'

const run = promisify(execFile)

const program = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url))

describe('docs/examples', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-examples-'))
    giveDevAuthorities(folder)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('organization-directory: the stock host with one more kind of plugin serves its operation', async () => {
    const host = startHostProcess({ DATA_DIR: folder, MTLS_PORT: 'off' }, [program('organization-directory/main.js')])
    const api = `${await host.url}/api`
    expect((await request(`${api}/organizations/123456789021`)).json).to.deep.equal({ name: 'Жұлдыз ЖШС' })
    const unknown = await request(`${api}/organizations/000000000000`)
    expect([unknown.status, unknown.json.code]).to.deep.equal([404, 'organizationUnknown'])
    expect((await request(`${api}/strings`)).text).to.include('Ұйым табылмады')
    await host.end('SIGTERM')
  })

  it('log-in-process: registers, and verifies the checkpoint of the log', async () => {
    const env = { ...process.env, FOLDER: mkdtempSync(join(folder, 'log-')) }
    const { stdout } = await run(process.execPath, [program('log-in-process/main.js')], { env })
    expect(stdout).to.match(/^[A-Za-z0-9]{16} is registered\nregistry\.example\/log has \d+ entries\n$/)
  })

  for (const name of ['embed-in-fastify', 'embed-in-http']) {
    it(`${name}: an application with the registry below /registry`, async () => {
      const data = mkdtempSync(join(folder, 'data-'))
      const SESSION_SECRET = randomBytes(32).toString('base64')
      const AUTHORITIES = join(folder, 'dev-authorities')
      const env = { DATABASE_URL: `sqlite:${data}/registry.sqlite`, AUTHORITIES, SESSION_SECRET }
      const host = startHostProcess(env, [program(`${name}/main.js`)])
      const base = (await host.url).replace('[::1]', '127.0.0.1').replace(/\.$/, '')
      expect(base).to.match(/\/registry$/)
      const { documentId } = await registerNote(base, folder)
      expect((await request(`${base}/api/${documentId}`)).json.signaturesTotal).to.equal(1)
      expect((await request(`${base}/api/nowhere`)).json).to.include({ code: 'invalidRoute' })
      expect(await (await fetch(base.replace('/registry', '/'))).text()).to.match(/Ours|registry/)
      expect(await host.end('SIGTERM')).to.equal(0)
    })
  }

  for (const name of ['embed-in-fastify', 'embed-in-http']) {
    it(`${name} does not start without a secret of its own`, async () => {
      const host = startHostProcess({ DATABASE_URL: 'sqlite::memory:' }, [program(`${name}/main.js`)])
      expect(await host.errors).to.include('SESSION_SECRET is not set')
      expect(host.child.exitCode).to.not.equal(0)
    })
  }

  it('have no secret in them', () => {
    const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url))
    const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /main\.[jt]s$/.test(file),
    )
    expect(files).to.include.members(['embed-in-express/main.js', 'embed-in-fastify/main.ts', 'embed-in-http/main.ts'])
    for (const file of files)
      expect(readFileSync(join(examples, file), 'utf8'), file).to.not.match(/SESSION_SECRET\s*(\?\?|\|\|)/)
  })

  describe('scripts', () => {
    let host: HostProcess
    before(() => {
      host = startHostProcess({ DATA_DIR: join(folder, 'scripts'), MTLS_PORT: 'off' })
    })
    after(() => host.end('SIGTERM'))

    for (const [script, interpreter] of [
      ['register.sh', 'sh'],
      ['register.py', 'python3'],
    ] as const) {
      it(`${script} registers a file and proves it, and says why it could not`, async () => {
        const base = await host.url
        const [file, signature] = noteIn(join(folder, 'scripts'), join(folder, 'scripts', 'dev-authorities'), script)
        const path = fileURLToPath(new URL(`../../docs/examples/scripts/${script}`, import.meta.url))
        const { stdout } = await run(interpreter, [path, base, file, signature])
        expect(stdout).to.match(/^[A-Za-z0-9]{16}: 1 signature\(s\) proved\n$/)
        writeFileSync(signature, 'nothing')
        const refused = await run(interpreter, [path, base, file, signature]).catch((error: object) => error)
        expect(JSON.stringify(refused)).to.contain('signatureNotParsed')
      })
    }
  })
})

/** Writes a file and its signature, made by somebody of the development authorities that a host keeps there. */
function noteIn(folder: string, authorities: string, reason = 'a loan'): [file: string, signature: string] {
  const [file, signature] = [join(folder, 'note.txt'), join(folder, 'note.b64')]
  // The same text signed twice within a second would have the same signature.
  writeFileSync(file, `I owe you 100 tenge for ${reason}.`)
  const person = DevAuthorities.create({ folder: authorities }).named('person-1')
  writeFileSync(signature, person.signCms(readFileSync(file)).toString('base64'))
  return [file, signature]
}

async function registerNote(base: string, folder: string): Promise<{ documentId: string }> {
  const [, signature] = noteIn(folder, join(folder, 'dev-authorities'))
  return (await postJson<{ documentId: string }>(`${base}/api`, { signature: readFileSync(signature, 'utf8') })).json
}
