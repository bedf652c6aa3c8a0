import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { DebianImage, MachineShell, startsDebian } from '../support/debian-machine.js'
import { exhaustive } from '../support/sweep.js'
import type { SystemdMachine } from '../support/systemd.js'
import { until } from '../support/until.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const document = readFileSync(join(root, 'docs/installation.md'), 'utf8')
const neighboursProgram = fileURLToPath(new URL('../support/neighbours.js', import.meta.url))
const NAME = 'registry.our-city.kz'
const site = `https://${NAME}`
const [VERSION, NEXT] = ['1.0.0', '1.0.1']
const NODES = exhaustive ? ['20', '24'] : ['24']

/** Answers of Prometheus. */
interface Found {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}
interface Rules {
  readonly data: { readonly groups: readonly { readonly rules: readonly { readonly state?: string }[] }[] }
}

/** The commands below a heading, block by block, as a reader copies them. */
function commandsBelow(heading: string): string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  expect(blocks, heading).to.not.deep.equal([])
  return blocks
}

const suite = startsDebian || process.env.REQUIRE_SYSTEMD === '1' ? describe : describe.skip

suite('docs/installation.md', function () {
  this.timeout(1_800_000)
  let folder: string
  let debian: DebianImage
  let authorities: DevAuthorities

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-installation-'))
    const inFolder = (program: string, ...args: string[]) => run(program, args, { cwd: folder })
    await inFolder('git', 'clone', '--quiet', root, 'repository')
    await inFolder('openssl', 'genpkey', '-algorithm', 'ed25519', '-out', 'release.key')
    await inFolder('openssl', 'pkey', '-in', 'release.key', '-pubout', '-out', 'release-key.pem')
    const release = (version: string) =>
      run(
        process.execPath,
        ['packaging/release.mjs', version, '--out', join(folder, version), '--key', '../release.key', '--dry-run'],
        { cwd: join(folder, 'repository') },
      )
    const [, packages = ''] =
      /^apt-get install --yes --no-install-recommends (.*)$/m.exec(commandsBelow('What you bring').join('')) ?? []
    const quiet = ['--silent', '--no-audit', '--no-fund', '--no-save']
    const nodes = NODES.map((line) => inFolder('npm', 'install', ...quiet, '--prefix', `node-${line}`, `node@${line}`))
    debian = await DebianImage.make(packages.split(' '))
    await Promise.all([release(VERSION), release(NEXT), ...nodes])
    for (const version of [VERSION, NEXT])
      cpSync(join(folder, 'release-key.pem'), join(folder, version, 'release-key.pem'))
    const key = [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${NAME}`,
      '-addext',
      `subjectAltName=DNS:${NAME}`,
    ]
    await inFolder('openssl', 'req', ...key, '-keyout', 'site.key', '-out', 'site.pem')
    authorities = DevAuthorities.create({ folder: join(folder, 'authorities') })
    mkdirSync(join(folder, 'anchors'))
    cpSync(join(folder, 'authorities/trust.pem'), join(folder, 'anchors/trust.pem'))
  })
  after(() => {
    debian?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const line of NODES)
    describe(`on Node ${line}`, () => {
      let machine: SystemdMachine
      let shell: MachineShell
      let documentId: string
      const mails: string[] = []
      const runBelow = async (heading: string): Promise<string> => {
        let said = ''
        for (const block of commandsBelow(heading)) said += await shell.run(block)
        return said
      }
      const ask = async <T>(path: string, ...options: readonly string[]): Promise<T> =>
        JSON.parse(
          await machine.run('curl', '--silent', '--fail-with-body', '--cacert', '/root/site.pem', ...options, path),
        )
      before(async () => {
        machine = debian.machine(join(folder, `node-${line}/node_modules/node/bin/node`))
        await machine.start({ 'etc/hosts': `127.0.0.1 localhost ${NAME}\n` })
        for (const name of ['anchors', 'site.pem', 'site.key', VERSION, NEXT])
          cpSync(join(folder, name), join(machine.root, 'root', name), { recursive: true })
        const neighbours = machine.startBeside(process.execPath, neighboursProgram, join(folder, 'authorities'))
        const lines = createInterface(neighbours.stdout ?? process.stdin)
        const [first] = (await once(lines, 'line')) as [string]
        lines.on('line', (mail) => mails.push(JSON.parse(mail).mail))
        const { tspUrl, smtpUrl }: { tspUrl: string; smtpUrl: string } = JSON.parse(first)
        shell = new MachineShell(machine)
        const values: Record<string, string> = {
          ...{ RELEASE: `~/${VERSION}`, VERSION, NAME, CERTIFICATE: '~/site.pem', KEY: '~/site.key' },
          ...{ ANCHORS: '~/anchors', TSP_URL: tspUrl, SMTP_URL: smtpUrl, MAIL_FROM: `registry@${NAME}` },
        }
        const [asked = '', packages = ''] = commandsBelow('What you bring')
        expect([...asked.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name)).to.have.members(Object.keys(values))
        await shell.run(
          Object.entries(values)
            .map(([name, value]) => `${name}=${value}\n`)
            .join(''),
        )
        await shell.run(packages)
        // Others have a certificate that everybody trusts.
        await shell.run('export CURL_CA_BUNDLE=/root/site.pem')
      })
      after(async () => {
        shell?.close()
        await machine?.end()
      })

      it('checks the release, makes the database and starts the host, of which doctor finds nothing wrong', async () => {
        expect(await runBelow('The release')).to.include(`signed-registry-${VERSION}.tar.gz: OK`)
        await runBelow('The database')
        const said = await runBelow('The host')
        expect(said)
          .to.match(/^ok {4}database: /m)
          .and.match(/^ok {4}time stamps: /m)
          .and.match(/^ok {4}mail: /m)
        expect(said).to.not.match(/^FAIL/im)
        expect(await shell.run('systemctl is-enabled signed-registry')).to.equal('enabled\n')
      })

      it('serves people behind nginx by TLS, registers what they sign, and mails', async () => {
        expect(JSON.parse((await runBelow('nginx')).split('\n').at(-1) ?? '')).to.include({ version: `v${VERSION}` })
        const note = 'I owe you 100 tenge.\n'
        const signature = authorities.person().signCms(Buffer.from(note), { ocsp: true }).toString('base64')
        const emailNotifications = { to: ['a@example.kz'] }
        writeFileSync(join(machine.root, 'root/note.txt'), note)
        writeFileSync(
          join(machine.root, 'root/request.json'),
          JSON.stringify({ title: 'note.txt', signature, emailNotifications }),
        )
        const post = (type: string, file: string) => [
          '--header',
          `content-type: ${type}`,
          '--data-binary',
          `@/root/${file}`,
        ]
        const registered = await ask<{ documentId: string }>(`${site}/api`, ...post('application/json', 'request.json'))
        documentId = registered.documentId
        await ask(`${site}/api/${documentId}/data`, ...post('application/octet-stream', 'note.txt'))
        await until(async () => mails.some((mail) => mail.includes('a@example.kz')))
      })

      it('has the plugin of its configuration file', async () => {
        expect(await runBelow('A plugin of your own')).to.include('{"mail":"help@example.kz"}')
        expect(await ask(`${site}/api/support`)).to.deep.equal({ mail: 'help@example.kz' })
      })

      it('is watched by Prometheus, with rules of which none fires', async () => {
        await runBelow('Alerts and dashboard')
        const api = 'http://127.0.0.1:9090/api/v1'
        const isUp = async () => {
          const { data } = await ask<Found>(`${api}/query?query=up{job="signed-registry"}`, '--globoff')
          return data.result[0]?.value[1] === '1'
        }
        await until(() => isUp().catch(() => false))
        const { data } = await ask<Rules>(`${api}/rules`)
        const rules = data.groups.flatMap((group) => group.rules)
        expect(rules).to.have.length.greaterThan(10)
        expect(rules.filter(({ state }) => state === 'firing')).to.deep.equal([])
      })

      it('goes on with the next version, and has what it had', async () => {
        await shell.run(`VERSION=${NEXT} RELEASE=~/${NEXT}`)
        await runBelow('The next version')
        expect(await ask(`${site}/api/version`)).to.include({ version: `v${NEXT}` })
        expect(await ask(`${site}/api/${documentId}`)).to.include({ title: 'note.txt' })
        expect(await ask(`${site}/api/support`)).to.deep.equal({ mail: 'help@example.kz' })
        expect(execFileSync('ls', [join(machine.root, 'var/backups')], { encoding: 'utf8' })).to.include(
          'registry-before-',
        )
      })
    })
})
