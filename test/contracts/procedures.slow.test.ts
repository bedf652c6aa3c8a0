import { createRegistry, HeldCalls, MobileApp, type Plugin, type Registry } from '@signed-registry/core'

import { heldCallsContract, mobileAppContract, peersContract } from '@signed-registry/core/contracts'
import { type AppAnnouncement, type DevPhone, devAuthorities } from '@signed-registry/dev-authorities'
import { govQrRelay } from '@signed-registry/gov-qr-relay'
import { forEachDatabase } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { hold } from '../support/hold.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { startTrustedService, type TrustedService } from '../support/relayed-hosts.js'
import { startTwoHosts, type TwoHosts } from '../support/two-hosts.js'

const authorities = presentAuthorities()
const DOCUMENTS = Buffer.from(` {"signMethod":"CMS_SIGN_ONLY","version":1,"documentsToSign":[
  {"id":1,"nameRu":"а","meta":[],"document":{"file":{"mime":"","data":"YQ=="}}}]}\r\n`)
const HOUR_MS = 60 * 60_000

forEachDatabase((open) => {
  let hosts: TwoHosts
  before(async () => {
    hosts = await startTwoHosts(await open(), authorities)
  })
  after(() => hosts.close())

  describe('rows for each call as HeldCalls', () => {
    hold(
      heldCallsContract({
        open: () => hosts.first.registry.get(HeldCalls),
        elsewhere: () => hosts.second.registry.get(HeldCalls),
      }),
    )
  })

  describe('hosts that tell each other by HTTP as Peers', () => {
    let nowhere: string
    before(async () => {
      nowhere = `http://127.0.0.1:${await freePort()}`
    })
    hold(
      peersContract({
        open: () => hosts.first.peers,
        other: () => hosts.second.peers,
        async listen(id) {
          const call = await hosts.second.registry.get(HeldCalls).begin(id, 'watch')
          return () => call.next(HOUR_MS).finally(() => call.end())
        },
        nowhere: () => nowhere,
      }),
    )
  })
})

describe('ways of the mobile app', () => {
  const open = (...plugins: Plugin[]) =>
    createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({ authorities }), ...plugins] })
  let registry: Registry
  afterEach(() => registry.close())

  describe('the app that calls this service, as a MobileApp', () => {
    hold(
      mobileAppContract({
        async open() {
          registry = await open()
          return registry.get(MobileApp)
        },
      }),
    )
  })

  describe('the app that comes through another service, as a MobileApp', () => {
    let service: TrustedService
    before(async () => {
      service = await startTrustedService()
    })
    after(() => service.close())
    /** The phone that has followed a link, and what it was told. */
    const followed = new Map<string, { app: DevPhone; announcement: AppAnnouncement }>()
    hold(
      mobileAppContract({
        async open() {
          registry = await open(govQrRelay(service.relay))
          return registry.get(MobileApp)
        },
        relayed: {
          documents: () => DOCUMENTS,
          async takes({ govMobileLaunchLink }) {
            const app = service.phone(authorities.person())
            const announcement = await app.open(govMobileLaunchLink)
            followed.set(govMobileLaunchLink, { app, announcement })
            return Buffer.from(await app.documents(announcement))
          },
          async returns({ govMobileLaunchLink }) {
            const phone = followed.get(govMobileLaunchLink)
            if (phone === undefined) throw new Error('Nobody has followed this link')
            let sent = ''
            await phone.app.answer(phone.announcement, DOCUMENTS.toString(), {
              change(returned) {
                sent = JSON.stringify(returned)
                return returned
              },
            })
            return Buffer.from(sent)
          },
        },
      }),
    )
  })
})
