import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { DebianImage, startsDebian } from '../support/debian-machine.js'
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
const NODES = ['20', '24']

/** Answers of Prometheus. */
interface Found {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] }
}
interface Rule {
  readonly health: string
  readonly state?: string
}
interface Rules {
  readonly data: { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
}

/** The blocks of commands in a part of the page, as they are copied. */
const blocksOf = (part: string): string[] =>
  [...part.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)

function commandsBelow(heading: string): string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const blocks = blocksOf(own)
  expect(blocks, heading).to.not.deep.equal([])
  return blocks
}

const suite = exhaustive && (startsDebian || process.env.REQUIRE_SYSTEMD === '1') ? describe : describe.skip

suite('docs/installation.md', function () {
  this.timeout(1_800_000)
  it('has blocks that stop at the first command that fails', () => {
    const single = blocksOf(document).filter((block) => !block.startsWith('(set -eu; '))
    expect(single.map((block) => block.split(' ')[0])).to.deep.equal(['apt-get', 'cd'])
  })

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
    const [, packages = ''] = /--no-install-recommends (.*)$/m.exec(commandsBelow('Programs').join('')) ?? []
    const quiet = ['--silent', '--no-audit', '--no-fund', '--no-save']
    const made = await Promise.allSettled([
      DebianImage.make(packages.split(' ')).then((image) => {
        debian = image
      }),
      release(VERSION).then(() => release(NEXT)),
      ...NODES.map((line) => inFolder('npm', 'install', ...quiet, '--prefix', `node-${line}`, `node@${line}`)),
    ])
    for (const one of made) if (one.status === 'rejected') throw one.reason
    for (const version of [VERSION, NEXT])
      cpSync(join(folder, 'release-key.pem'), join(folder, version, 'release-key.pem'))
    const key = `-x509 -newkey rsa:2048 -nodes -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`.split(' ')
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
      let documentId: string
      let own: Record<string, string>
      const mails: string[] = []
      /** What the commands below a heading say; `replaced` takes the place of some of the values that they read. */
      const runBelow = async (heading: string, replaced: Readonly<Record<string, string>> = {}): Promise<string> => {
        const values = Object.entries(replaced).map(([name, value]) => `${name}=${value}\n`)
        appendFileSync(join(machine.root, 'root/registry.values'), values.join(''))
        let said = ''
        for (const block of commandsBelow(heading)) said += await inBash(block)
        return said
      }
      const inBash = async (script: string): Promise<string> => {
        // The site of others has a certificate that everybody trusts.
        const shell = ['env', 'CURL_CA_BUNDLE=/root/site.pem', 'bash', '-c', `exec 2>&1\n${script}`]
        return machine.run(...shell).catch(({ stdout }) => {
          throw new Error(`${script}\n${stdout}`)
        })
      }
      const ask = async <T>(path: string, ...options: readonly string[]): Promise<T> =>
        JSON.parse(
          await machine.run('curl', '--silent', '--fail-with-body', '--cacert', '/root/site.pem', ...options, path),
        )
      const register = async (): Promise<string> => {
        const note = 'I owe you 100 tenge.\n'
        const signature = authorities.named('person-1').signCms(Buffer.from(note)).toString('base64')
        const emailNotifications = { to: ['a@example.kz'] }
        const request = JSON.stringify({ title: 'note.txt', signature, emailNotifications })
        writeFileSync(join(machine.root, 'root/note.txt'), note)
        writeFileSync(join(machine.root, 'root/request.json'), request)
        const post = (type: string, file: string) => [
          '--header',
          `content-type: ${type}`,
          '--data-binary',
          `@/root/${file}`,
        ]
        const { documentId: id } = await ask<{ documentId: string }>(
          `${site}/api`,
          ...post('application/json', 'request.json'),
        )
        await ask(`${site}/api/${id}/data`, ...post('application/octet-stream', 'note.txt'))
        return id
      }
      before(async () => {
        machine = debian.machine(join(folder, `node-${line}/node_modules/node/bin/node`))
        await machine.start({ 'etc/hosts': `127.0.0.1 localhost ${NAME}\n` })
        for (const name of ['anchors', 'site.pem', 'site.key', VERSION, NEXT])
          cpSync(join(folder, name), join(machine.root, 'root', name), { recursive: true })
        const neighbours = machine.startBeside(process.execPath, neighboursProgram, join(folder, 'authorities'))
        const lines = createInterface(neighbours.stdout ?? process.stdin)
        const [first = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
        lines.on('line', (mail) => mails.push(JSON.parse(mail).mail))
        const { tspUrl, ocspUrl, smtpUrl }: Record<string, string> = JSON.parse(first)
        own = {
          ...{ RELEASE: `/root/${VERSION}`, NAME, MAIL_FROM: `registry@${NAME}` },
          ...{ TSP_URL: `'${tspUrl}'`, OCSP_URL: `'${ocspUrl}'`, SMTP_URL: `'${smtpUrl}'` },
        }
        await runBelow('Your values')
        await runBelow('Programs')
      })
      after(() => machine?.end())

      it('unpacks nothing that the maintainers have not signed, or not as it is', async () => {
        const forged = join(machine.root, 'root/forged')
        const refuses = async (change: () => void) => {
          cpSync(join(folder, VERSION), forged, { recursive: true })
          change()
          await expectRejection(runBelow('The release', { RELEASE: '/root/forged' }))
          expect(readdirSync(join(machine.root, 'opt'))).to.deep.equal([])
          rmSync(forged, { recursive: true })
        }
        const sums = join(forged, 'SHA256SUMS')
        await refuses(() => appendFileSync(sums, '\n'))
        await refuses(() => appendFileSync(join(forged, `signed-registry-${VERSION}.tar.gz`), '\n'))
        await refuses(() => {
          const others = readFileSync(sums, 'utf8')
            .split('\n')
            .filter((sum) => !sum.endsWith('.tar.gz'))
          writeFileSync(sums, others.join('\n'))
          const args = ['pkeyutl', '-sign', '-rawin', '-inkey', join(folder, 'release.key'), '-in', sums]
          execFileSync('openssl', [...args, '-out', `${sums}.sig`])
        })
      })

      it('checks the release, makes the database and starts the host, of which doctor finds nothing wrong', async () => {
        expect(await runBelow('The release', own)).to.include(`signed-registry-${VERSION}.tar.gz: OK`)
        await runBelow('The database')
        const said = await runBelow('The host')
        expect(said)
          .to.match(/^ok {4}database: /m)
          .and.match(/^ok {4}time stamps: /m)
          .and.match(/^ok {4}status: /m)
          .and.match(/^ok {4}mail: /m)
        // The host itself has the port.
        expect(said.match(/^(warn|fail).*/gim)).to.deep.equal([
          'warn  ports: PORT 8080 at 127.0.0.1 is in use, perhaps by a running registry',
        ])
        expect(await machine.run('systemctl', 'is-enabled', 'signed-registry')).to.equal('enabled')
      })

      it('serves people behind nginx by TLS, registers what they sign, and mails', async () => {
        expect(JSON.parse((await runBelow('nginx')).split('\n').at(-1) ?? '')).to.include({ version: `v${VERSION}` })
        documentId = await register()
        await until(async () => mails.some((mail) => mail.includes('a@example.kz')))
      })

      it('has the plugin of its configuration file', async () => {
        expect(await runBelow('A plugin of your own')).to.include('{"mail":"help@example.kz"}')
        expect(await ask(`${site}/api/support`)).to.deep.equal({ mail: 'help@example.kz' })
      })

      it('takes over values that were changed when its blocks run again, and keeps what was added', async () => {
        await runBelow('The database', { MAIL_FROM: `other@${NAME}` })
        await runBelow('The host')
        await register()
        await until(async () => mails.some((mail) => mail.includes(`other@${NAME}`)))
        expect(await ask(`${site}/api/support`)).to.deep.equal({ mail: 'help@example.kz' })
      })

      it('is watched by Prometheus on this machine alone, with rules of which none fires', async () => {
        await runBelow('Alerts and dashboard')
        const api = 'http://127.0.0.1:9090/api/v1'
        const isUp = async () => {
          const { data } = await ask<Found>(`${api}/query?query=up{job="signed-registry"}`, '--globoff')
          return data.result[0]?.value[1] === '1'
        }
        const rules = async () => (await ask<Rules>(`${api}/rules`)).data.groups.flatMap((group) => group.rules)
        await until(() => isUp().catch(() => false))
        await until(async () => (await rules()).every(({ health }) => health === 'ok'))
        const evaluated = await rules()
        expect(evaluated).to.have.length.greaterThan(10)
        expect(evaluated.filter(({ state }) => state === 'firing')).to.deep.equal([])
        // Port 9090, in hexadecimal digits.
        const sockets = (kind: string) => readFileSync(`/proc/${machine.firstProcess}/net/${kind}`, 'utf8')
        expect(sockets('tcp')).to.include(' 0100007F:2382 ')
        expect(sockets('tcp6')).to.not.include(':2382 ')
      })

      it('goes on with the next version, and back, and has what it had', async () => {
        const has = async (version: string, documents: readonly string[]) => {
          expect(await ask(`${site}/api/version`)).to.include({ version: `v${version}` })
          for (const id of documents) expect(await ask(`${site}/api/${id}`)).to.include({ title: 'note.txt' })
          expect(await ask(`${site}/api/support`)).to.deep.equal({ mail: 'help@example.kz' })
        }
        await runBelow('The release', { VERSION: NEXT, RELEASE: `/root/${NEXT}` })
        // The disk is full in the middle of a backup.
        const full = join(machine.root, 'usr/local/sbin/mariadb-dump')
        writeFileSync(full, '#!/bin/sh\necho half\nexit 1\n', { mode: 0o755 })
        await expectRejection(runBelow('The next version'))
        await expectRejection(runBelow('The way back'))
        rmSync(full)
        await inBash(`systemctl start signed-registry && mv /var/backups/registry-before-${NEXT} /var/backups/half`)
        await until(() =>
          has(VERSION, [documentId]).then(
            () => true,
            () => false,
          ),
        )
        await runBelow('The next version')
        await has(NEXT, [documentId])
        const readable =
          'find /var/backups/half /var/backups/registry-* /etc/signed-registry /etc/nginx/tls /root -type f -readable'
        const asNobody = ['setpriv', '--reuid', 'nobody', '--regid', 'nogroup', '--clear-groups', 'sh', '-c']
        expect(await machine.run(...asNobody, `${readable} 2>/dev/null || true`)).to.equal('')
        const later = await register()
        await expectRejection(runBelow('The next version'))
        await has(NEXT, [documentId, later])
        await runBelow('The way back')
        await has(VERSION, [documentId])
        await expectRejection(runBelow('The way back'))
        await has(VERSION, [documentId])
        expect(
          (await machine.run('curl', '--silent', `http://127.0.0.1:8080/api/${later}`)).includes('documentNotFound'),
        ).to.equal(true)
      })
    })
})

async function expectRejection(of: Promise<unknown>): Promise<void> {
  expect(
    await of.then(
      () => 'done',
      () => 'refused',
    ),
  ).to.equal('refused')
}
