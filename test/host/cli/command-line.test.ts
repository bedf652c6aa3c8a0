import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { AuthorityServer } from '../../support/pki/authority-server.js'
import { SmtpSink } from '../../support/smtp-sink.js'

describe('signed-registry', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-cli-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const run = async (line: string, env: Record<string, string> = {}) => {
    const said = { out: '', err: '' }
    const code = await commandLine(line === '' ? [] : line.split(' '), {
      env: { DATA_DIR: folder, PORT: '0', MTLS_PORT: 'off', ...env },
      out(text) {
        said.out += text
      },
      err(text) {
        said.err += text
      },
    })
    return { code, ...said }
  }
  const written = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  it('prints help for a word that it does not know, and starts nothing', async () => {
    const { code, out, err } = await run('strat')
    expect([code, out]).to.deep.equal([2, ''])
    expect(err).to.match(/^There is no command strat\.\n\nUsage: signed-registry \[command\]/)
  })

  it('prints help, its version, and completion', async () => {
    expect(await run('help')).to.deep.include({ code: 0, err: '' })
    expect((await run('--version')).out).to.match(/^\d+\.\d+\.\d+\n$/)
    expect((await run('completion bash')).out).to.include('start demo admin backup migrate doctor client verify')
    expect((await run('completion fish')).code).to.equal(2)
  })

  for (const line of [
    'backup',
    'backup a b',
    'migrate',
    'migrate down',
    'migrate status --dry-run',
    'verify',
    'verify a',
    'verify a --trust b --detail',
    'audit-log',
    'audit-log registry',
    'audit-log https://registry.invalid --keys k',
    'doctor x',
    'client',
    'client a b',
    'start x',
  ]) {
    it(`tells how it is used instead of: ${line}`, async () => {
      const { code, err } = await run(line)
      expect(code).to.equal(2)
      expect(err).to.match(/Usage: signed-registry [a-z-]+ ?/)
    })
  }

  it('names what is wrong with the configuration', async () => {
    const { code, err } = await run('start', { PORT: 'many' })
    expect([code, err]).to.deep.equal([1, 'Wrong configuration:\n  PORT: takes a port number, 0 for any free one\n'])
  })

  it('names the variable at fault for failures that show only at startup', async () => {
    const folderOf = (name: string) => {
      mkdirSync(join(folder, name), { recursive: true })
      return join(folder, name)
    }
    for (const [env, said] of [
      [{ TRUST_ANCHORS: folderOf('nothing') }, 'TRUST_ANCHORS: no self-signed certificate among the trust anchors'],
      [
        { TRUST_ANCHORS: written('text.pem', 'hello') },
        `TRUST_ANCHORS: ${join(folder, 'text.pem')} is neither DER nor PEM`,
      ],
      [{ DATABASE_URL: 'mysql://a:b@127.0.0.1:1/registry' }, 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1'],
      [{ DATABASE_URL: `sqlite:${folderOf('a folder')}` }, 'DATABASE_URL: '],
    ] as const) {
      const authorities = 'TRUST_ANCHORS' in env ? { TSP_URL: 'http://tsp.invalid/' } : { DEV_AUTHORITIES: 'yes' }
      const { code, err } = await run('start', { ...env, ...authorities })
      expect(code).to.equal(1)
      expect(err.startsWith(`Wrong configuration:\n  ${said}`), err).to.equal(true)
    }
    for (const command of ['migrate up', 'admin show BIN123456789021']) {
      const { err } = await run(command, { DATABASE_URL: 'mysql://a:b@127.0.0.1:1/registry' })
      expect(err, command).to.equal('Wrong configuration:\n  DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n')
    }
  })

  it('checks the schema, shows pending migrations, applies them, and copies the database', async () => {
    expect(await run('migrate status')).to.include({ code: 1 })
    const { out } = await run('migrate up')
    expect(out)
      .to.match(/^applied {2}0001-documents\n/)
      .and.not.include('pending')
    expect((await run('migrate status')).out).to.equal(out)
    expect(await run('migrate up --dry-run')).to.deep.include({ code: 0, out: '' })
    const copy = join(folder, 'copy.sqlite')
    expect((await run(`backup ${copy}`)).code).to.equal(0)
    expect(existsSync(copy)).to.equal(true)
    expect((await run(`backup ${copy}`)).code).to.equal(1)
  })

  it('checks everything that a registry depends on, with real requests', async () => {
    const server = await AuthorityServer.start((ocspUrl) => presentAuthorities({ ocspUrl }))
    const { authorities } = server
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    const env = {
      TRUST_ANCHORS: written('anchors.pem', certificates.map((der) => pem('CERTIFICATE', der)).join('')),
      TSP_URL: server.tspUrl,
      OCSP_URL: server.ocspUrl,
      DATABASE_URL: `sqlite:${join(folder, 'doctor.sqlite')}`,
    }
    const mail = await SmtpSink.start()
    const withMail = { ...env, SMTP_URL: mail.url, MAIL_FROM: 'registry@example.kz' }
    await run('migrate up', env)
    const well = await run('doctor', env)
    expect(well.out).to.match(/ok {4}database: SQLite \d/)
    expect(well.out).to.include(`${server.tspUrl} answers; the clocks differ by `)
    expect(well.out).to.include(`${server.ocspUrl} answers (`)
    expect(well.out).to.include(`warn  mail: written to ${join(folder, 'mail')} and not sent`)
    expect(well.code).to.equal(0)
    expect((await run('doctor', withMail)).out).to.match(/ok {4}mail: 127\.0\.0\.1:\d+ accepts mail from us/)
    await mail.close()
    expect((await run('doctor', withMail)).out).to.match(/fail {2}mail: 127\.0\.0\.1:\d+: connect ECONNREFUSED/)
    server.faults.tsp = 'down'
    server.faults.ocsp = 'rubbish'
    const ill = await run('doctor', env)
    expect(ill.out).to.match(/fail {2}time stamps: (.|\n)*fail {2}status: /)
    expect(ill.code).to.equal(1)
    await server.close()
  })

  it('says whether there is a log, where its key is, and why it is not signed', async () => {
    const log = async (env: Record<string, string>) =>
      (await run('doctor', env)).out.split('\n').filter((line) => line.slice(6).startsWith('log: '))
    const data = join(folder, 'doctor-log')
    mkdirSync(data)
    const env = { DATA_DIR: data }
    const keyFile = join(data, 'log.key')
    expect(await log(env)).to.deep.equal([`warn  log: there is no key at ${keyFile} yet; the first start will make it`])
    expect(await log({ ...env, LOG: 'off' })).to.deep.equal([
      'warn  log: off: nothing shows whether the operator changes anything',
    ])
    await run('migrate up', env)
    writeFileSync(keyFile, LOG_KEY)
    expect(await log(env)).to.deep.equal([
      `ok    log: its key is ${keyFile}`,
      'ok    log: the next start will begin it',
    ])
    const { integrate, registry } = await loggingRegistry(`sqlite:${join(data, 'registry.sqlite')}`, {
      key: newLogKey(),
    })
    await integrate()
    await registry.close()
    const { code, out } = await run('doctor', env)
    expect(code).to.equal(1)
    expect(out).to.match(/^fail {2}log: \S+ is not signed \(otherKey\): start this host with the key of the log/m)
  })
})
