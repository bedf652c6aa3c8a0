import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Certificate, createRegistry, StatusSource, TimestampSource, TrustStore } from '@signed-registry/core'

import { statusSourceContract, timestampSourceContract, trustStoreContract } from '@signed-registry/core/contracts'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { ConfiguredTrust, OnlineStatusSource, OnlineTimestampSource } from '@signed-registry/online-authorities'
import { hold } from '../support/hold.js'
import { MINUTE, NOW, testAuthorities, testClock } from '../support/pki/authorities.js'
import { AuthorityServer } from '../support/pki/authority-server.js'
import { trustOf } from '../support/pki/trust.js'

const now = () => NOW

describe('development authorities', () => {
  const authorities = testAuthorities()
  const person = authorities.person()
  const open = () =>
    createRegistry({ database: 'sqlite::memory:', clock: testClock(), plugins: [devAuthorities({ authorities })] })
  let registry: Awaited<ReturnType<typeof open>>
  before(async () => {
    registry = await open()
  })
  after(() => registry.close())

  describe('as a TrustStore', () => {
    hold(trustStoreContract({ open: () => registry.get(TrustStore) }))
  })

  describe('as a TimestampSource', () => {
    hold(
      timestampSourceContract({
        answering: () => registry.get(TimestampSource),
        trust: () => trustOf(authorities),
        now,
      }),
    )
  })

  describe('as a StatusSource', () => {
    hold(
      statusSourceContract({
        answering: () => registry.get(StatusSource),
        certificate: () => Certificate.parse(person.certificate),
        issuer: () => Certificate.parse(person.issuer),
      }),
    )
  })
})

describe('online authorities', () => {
  let server: AuthorityServer
  before(async () => {
    server = await AuthorityServer.start((ocspUrl) => testAuthorities({ ocspUrl }))
  })
  afterEach(() => Object.assign(server.faults, { tsp: undefined, ocsp: undefined }))
  after(() => server.close())

  describe('as a TrustStore', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trust-contract-'))
    const file = join(folder, 'anchors.cer')
    const store = (clock = testClock()) => {
      writeFileSync(file, testAuthorities().anchors[0] ?? '')
      return new ConfiguredTrust(folder, clock)
    }
    after(() => rmSync(folder, { recursive: true, force: true }))

    hold(
      trustStoreContract({
        open: () => store(),
        async failing() {
          const clock = testClock()
          return {
            store: store(clock),
            async spoil() {
              writeFileSync(file, 'no certificate')
              clock.time += 2 * MINUTE
            },
          }
        },
      }),
    )
  })

  describe('as a TimestampSource', () => {
    const source = (tspUrl = server.tspUrl) => new OnlineTimestampSource({ tspUrl })
    hold(
      timestampSourceContract({
        answering: () => source(),
        trust: () => trustOf(server.authorities),
        now,
        silent() {
          server.faults.tsp = 'silent'
          return source()
        },
        unreachable: () => source('http://127.0.0.1:9/'),
      }),
    )
  })

  describe('as a StatusSource', () => {
    const allowed = () => new OnlineStatusSource({ ocspAllowedHosts: [new URL(server.ocspUrl).host] })
    const person = () => server.authorities.person()
    let signer: ReturnType<typeof person>
    before(() => {
      signer = person()
    })
    hold(
      statusSourceContract({
        answering: allowed,
        certificate: () => Certificate.parse(signer.certificate),
        issuer: () => Certificate.parse(signer.issuer),
        foreign: () =>
          Certificate.parse(testAuthorities({ ocspUrl: 'http://elsewhere.example/' }).person().certificate),
        silent() {
          server.faults.ocsp = 'silent'
          return allowed()
        },
      }),
    )
  })
})
