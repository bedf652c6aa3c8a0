import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevAuthorities, localCertificate } from '@signed-registry/dev-authorities'
import type { AppSettings } from '#host/app.js'
import { clientCertificate, type TestClientCertificate } from './client-certificate.js'
import { freePort } from './free-port.js'
import { onPath } from './programs.js'
import { deployed, endProxy, startProxy } from './proxy.js'
import { listCertificates, SystemClient } from './systems.js'
import { startTwoHosts, type TwoHosts } from './two-hosts.js'
import { until } from './until.js'

const haproxy = onPath('haproxy')

/** Declares a suite of what runs behind HAProxy. */
export const suiteOfHaproxy = haproxy !== undefined || process.env.REQUIRE_HAPROXY === '1' ? describe : describe.skip

/** HAProxy as `deploy/haproxy.cfg` says, in front of two hosts and of a place where a third one may listen. */
export interface BehindHaproxy {
  readonly hosts: TwoHosts
  readonly peoplePort: number
  readonly systemsPort: number
  readonly thirdPort: number
  /** What an information system of the organization shows. */
  readonly listed: TestClientCertificate
  readonly people: SystemClient
  readonly system: SystemClient
  close(): Promise<void>
}

/** Starts two hosts over one database, and HAProxy in front of them. */
export async function startBehindHaproxy(
  database: string,
  authorities: DevAuthorities,
  settings: AppSettings = {},
): Promise<BehindHaproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-haproxy-'))
  const listed = clientCertificate()
  const proxies = { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' }
  const hosts = await startTwoHosts(database, authorities, { proxies, ...settings })
  await listCertificates(hosts.first.registry, [listed])
  const { cert, key } = localCertificate(folder)
  writeFileSync(join(folder, 'site.pem'), `${cert}\n${key}`)
  // Any authority: the registry takes what organizations list.
  writeFileSync(join(folder, 'any-ca.pem'), cert)
  const [peoplePort, systemsPort, thirdPort] = [await freePort(), await freePort(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  const config = deployed('haproxy.cfg', [
    ['/usr/local/etc/haproxy/tls', folder],
    ['bind :8443', `bind 127.0.0.1:${peoplePort}`],
    ['bind :9443', `bind 127.0.0.1:${systemsPort}`],
    ['registry-1:8080', new URL(hosts.first.url).host],
    ['registry-2:8080', new URL(hosts.second.url).host],
    ['registry-3:8080', `127.0.0.1:${thirdPort}`],
    // All callers have one address here.
    ['sc0_http_req_rate gt 1000', 'sc0_http_req_rate gt 1000000'],
  ])
  writeFileSync(file, `${config}\n`)
  const [people, system] = [new SystemClient(peoplePort), new SystemClient(systemsPort, listed)]
  hosts.site.baseUrl = `https://127.0.0.1:${peoplePort}`
  // The proxy's first question decides whether a host may be asked.
  for (const { registry, url } of hosts.hosts) {
    registry.start()
    await until(async () => (await fetch(`${url}/readyz`)).ok)
  }
  const proxy = await startProxy(haproxy ?? 'haproxy', ['-db', '-q', '-f', file], people)
  return {
    ...{ hosts, peoplePort, systemsPort, thirdPort, listed, people, system },
    async close() {
      for (const client of [people, system]) client.close()
      await endProxy(proxy)
      await hosts.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
