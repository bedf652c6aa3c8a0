import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localCertificate } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { freePort } from '../../support/free-port.js'

const DAY = 24 * 60 * 60_000
/** A certificate of `localCertificate` holds for so long. */
const LIFE = 10 * 365 * DAY

describe('signed-registry doctor', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-doctor-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const doctor = async (env: Record<string, string>) => {
    let out = ''
    const add = (text: string) => {
      out += text
    }
    const code = await commandLine(['doctor'], { env: { DATA_DIR: join(folder, 'data'), ...env }, out: add, err: add })
    return { code, out }
  }
  /** Files of a certificate that ends in so many days. */
  const ending = (days: number): { certFile: string; keyFile: string } => {
    const [certFile, keyFile] = [join(folder, `${days}.pem`), join(folder, `${days}.key`)]
    const { cert, key } = localCertificate(join(folder, `of ${days}`), {
      now: () => Date.now() + days * DAY - LIFE + 60_000,
    })
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
    return { certFile, keyFile }
  }
  const certificates = async (days: number) => {
    const [fine, given] = [ending(1000), ending(days)]
    const { code, out } = await doctor({
      ...{ TLS_CERT: fine.certFile, TLS_KEY: fine.keyFile },
      ...{ WEBHOOK_TLS_CERT: given.certFile, WEBHOOK_TLS_KEY: given.keyFile },
    })
    return { code, lines: out.split('\n').filter((line) => line.includes(' certificates: ')) }
  }

  it('says when each certificate ends that the host shows', async () => {
    const { code, lines } = await certificates(31)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.match(/^ok {4}certificates: TLS \(CN=localhost\) ends on \d{4}-\d\d-\d\d$/)
    expect(lines[1]).to.match(/^ok {4}certificates: webhook client \(CN=localhost\) ends on /)
    expect(code).to.equal(0)
  })

  it('warns of one that ends within 30 days, and fails for one that has ended', async () => {
    const soon = await certificates(29)
    expect(soon.lines[1]).to.match(/^warn {2}certificates: webhook client .* ends in 29 days, on \S+: renew it/)
    expect(soon.code).to.equal(0)
    const ended = await certificates(-1)
    expect(ended.lines[1]).to.match(/^fail {2}certificates: webhook client .* has ended on \S+: put another one/)
    expect(ended.code).to.equal(1)
  })

  it('asks what the plugins of the configuration depend on', async () => {
    const [port, authority] = [await freePort(), ending(100)]
    const env = {
      ARCHIVE_URL: `s3://key:hush-hush@127.0.0.1:${port}/bucket?tls=off`,
      CLAMD_ADDRESS: `127.0.0.1:${port}`,
      MAIL_BOUNCES: join(folder, 'no-maildir'),
      VEHICLE_REGISTRATION_URL: `https://localhost:${port}/documents`,
      ...{ VEHICLE_REGISTRATION_TLS_CERT: authority.certFile, VEHICLE_REGISTRATION_TLS_KEY: authority.keyFile },
    }
    const { code, out } = await doctor(env)
    for (const name of ['archive', 'scanner', 'bounces', 'vehicle registration'])
      expect(out).to.match(new RegExp(`^fail {2}${name}: .*[;,] \\S`, 'm'))
    expect(out).to.match(/^warn {2}trust: development authorities/m)
    expect(out).to.not.include('hush')
    expect(code).to.equal(1)
    mkdirSync(join(folder, 'data', 'archive'), { recursive: true })
    const well = await doctor({})
    expect(well.out).to.match(/^ok {4}archive: \d+ MiB are free at \S+archive$/m)
    expect(well.code).to.equal(0)
  })
})
