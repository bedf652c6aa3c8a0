import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveFs } from '@signed-registry/archive-fs'
import { type Client, createClient } from '@signed-registry/client'
import { Database, provideValue, type Registry, WebhookAddresses, WebhookPorts } from '@signed-registry/core'

import { ddcPdf } from '@signed-registry/ddc-pdf'
import { DevAuthorities, DevPhone, devAuthorities, type Subject } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { mailerFiles } from '@signed-registry/mailer-files'
import { signedFiles } from '@signed-registry/signed-files'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { webhookHttp } from '@signed-registry/webhook-http'
import { PDFDocument } from 'pdf-lib'
import { type OpenDatabase, openSqlite } from '../support/databases.js'
import { startTestHost } from '../support/host.js'
import { signedBy, signedOnce } from '../support/pdf/signed-contracts.js'
import { testAuthorities, testClock } from '../support/pki/authorities.js'
import { routes } from '../support/routes.js'
import { until } from '../support/until.js'
import { VehicleAuthority } from '../support/vehicle-authority.js'
import { WebhookSink } from '../support/webhook-sink.js'
import { rawSigning } from './raw-signing.js'
import { witnessing, witnessOptions } from './witnessing.js'

/** One successful call: its JSON request, and its answer. */
export interface Exchange {
  /** Its `id`. */
  readonly operation: string
  readonly request?: unknown
  readonly answer: unknown
}

/** What outlives it: the database that it fills, and a folder with the keys and certificates of signers and authorities. */
export interface Filled {
  readonly open: OpenDatabase
  readonly authoritiesFolder: string
}

/** Calls every operation: an organization receives and accepts a contract, a car is sold, phones sign. */
export async function everyOperation(filled?: Filled): Promise<{ start: number; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = []
  // Whole seconds, like time stamps; the clock advances by a second before each call. Phones use the system time.
  const start = Math.floor(Date.now() / 1000) * 1000
  const clock = testClock(start)
  const authorities = filled
    ? DevAuthorities.create({ clock, folder: filled.authoritiesFolder })
    : testAuthorities({ clock })
  const folder = mkdtempSync(join(tmpdir(), 'registry-journey-'))
  const authority = await VehicleAuthority.start()
  const plugins = [
    devAuthorities({ authorities }),
    mailerFiles({ folder: join(folder, 'mail'), from: 'registry@example.kz' }),
    vehicleRegistration(authority.options),
    ddcPdf({}),
    evidenceAsic({}),
    signedFiles({}),
    archiveFs({ folder: join(folder, 'archive') }),
    webhookHttp({}),
    { name: 'local', provides: [provideValue(WebhookAddresses, 'any'), provideValue(WebhookPorts, 'any')] },
  ]
  const registry = { log: witnessOptions, limits: { reminderMs: 0 } }
  const host = await startTestHost(filled?.open ?? openSqlite, { authorities, plugins, clock, registry })
  host.registry.start()
  const send = recording(exchanges, async () => {
    await until(() => isQuiet(host.registry, clock.time))
    clock.time += 1000
  })
  const sink = await WebhookSink.start()
  const open = () => createClient({ baseUrl: host.url, fetch: send })
  try {
    const author = await login(open(), authorities.named('person-1'))
    const head = await login(open(), authorities.named('head-1'))
    await prepare(head, sink)
    await carSale(author, authorities)
    await document(author, head, authorities)
    await packageOfTwo(author, head, authorities)
    await rawSigning(author, send, authorities.named('person-2-auth'))
    await phoneLogin(host.url, send, authorities)
    await lookAround(author)
    await witnessing(host.url, send, author)
  } finally {
    await sink.close()
    await host.close()
    await authority.close()
    rmSync(folder, { recursive: true })
  }
  return { start, exchanges }
}

const DAY = 24 * 60 * 60_000
export const ORGANIZATION = 'BIN200140000019'
/** What the contract of the car says. */
export const CAR = 'A car is sold'
const sign = (subject: Subject, bytes: Uint8Array) => subject.signCms(bytes).toString('base64')

/** Logs somebody in by a signature. */
export async function login(client: Client, subject: Subject): Promise<Client> {
  const answer = await client.authenticate({ request: {} })
  if (!('nonce' in answer)) throw new Error('There is no nonce')
  const signature = subject.signCms(Buffer.from(answer.nonce, 'base64'), { detached: false }).toString('base64')
  await client.authenticate({ request: { nonce: answer.nonce, signature } })
  return client
}

/** An organization configures webhooks and tests them. */
async function prepare(head: Client, sink: WebhookSink): Promise<void> {
  await head.getAuthentication()
  await head.getOrganizationSettings()
  await head.saveOrganizationSettings({
    request: {
      webhooks: { urls: [`${sink.url}/documents`], routingUrls: [`${sink.url}/items`] },
      documentsList: { iins: ['IIN900101300040'] },
      routingContactEmail: 'office@example.kz',
    },
  })
  await head.getOrganizationSettingsAudit()
  await head.getOrganizationPermissions()
  await head.getOrganizationSubscription()
  const [webhook] = (await head.getWebhooks()).webhooks
  if (webhook === undefined) throw new Error('There is no webhook')
  const { webhookId } = webhook
  await head.rotateWebhookSecret({ webhookId })
  await head.pingWebhook({ webhookId })
  await sink.came(1)
  await head.resendWebhooks({ webhookId, request: { since: 0 } })
  await head.listWebhookDeliveries({ webhookId })
}

async function document(author: Client, head: Client, authorities: DevAuthorities): Promise<void> {
  // Without its creation time and fonts, which have random names: the same bytes in every run.
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.addPage().drawRectangle({ x: 50, y: 50, width: 200, height: 20 })
  const original = await pdf.save()
  const upload = new Uint8Array(original)
  await author.checkPdfForDdc({ upload })
  await author.checkRegistration({ request: { title: 'Contract.pdf', settings: { private: true } } })
  const { documentId: id, signId = 0 } = await author.registerDocument({
    request: {
      title: 'Contract.pdf',
      description: 'Supply of paper',
      signature: sign(authorities.named('person-1'), original),
      settings: { private: true, forceArchive: true },
    },
  })
  await author.fixDigests({ id, upload })
  await author.changeDocumentSettings({ id, request: { private: true, forceArchive: true, signaturesLimit: 3 } })
  await author.getDocumentSettingsAudit({ id })
  const contract = { to: ORGANIZATION, comment: 'Please sign', toSign: true }
  const early = await author.sendDocument({ id, request: { ...contract, comment: 'A draft' } })
  await author.recallOutgoing({ outgoingId: early.outgoingId, request: { comment: 'Too early' } })
  await author.sendDocument({ id, request: contract })
  await head.addSignature({ id, request: { signature: sign(authorities.named('head-1'), original) } })
  await author.getDocument({ id })
  await author.verifyDocument({ id, upload })
  await author.getDocumentData({ id })
  await author.getDocumentDigests({ id })
  await author.findDocumentsByDigest({ query: { digest: createHash('sha256').update(original).digest('base64') } })
  await author.notifyDocument({ id, request: { emailNotifications: { to: ['office@example.kz'], language: 'kk/ru' } } })
  await author.listDocumentNotifications({ id })
  const begun = { description: 'Supply of paper', meta: [{ name: 'Sum', value: '100 000' }] }
  const cancelled = await author.beginDocumentProcedure({ id, request: begun })
  await author.cancelDocumentProcedure({ id, operationId: cancelled.operationId })
  const { operationId, govMobileLaunchLink } = await author.beginDocumentProcedure({ id, request: begun })
  await new DevPhone(authorities.named('person-2')).sign(govMobileLaunchLink)
  await author.getDocumentProcedure({ id, operationId })
  await author.listDocuments({ query: { searchQuery: 'contract', includeSignatures: true } })
  const { signature } = await author.exportSignature({ id, signId })
  await author.getSignatureInclusion({ id, signId })
  await author.findExportedSignature({ request: { signature } })
  await author.checkSignature({ request: { signature } })
  await author.makeReport({
    request: { signatures: [{ name: 'Contract.p7s', signature }], documents: [], language: 'en' },
  })
  await author.getSignatureQr({ id, signId })
  const { ddc } = await author.buildDdc({ id, upload, query: { fileName: 'Contract.pdf', language: 'en' } })
  await author.parseDdc({ upload: new Uint8Array(Buffer.from(ddc, 'base64')) })
  await author.checkDdc({ upload: new Uint8Array(Buffer.from(ddc, 'base64')) })
  const { evidence } = await author.getDocumentEvidence({ id })
  await author.buildDocumentEvidence({ id, upload })
  await author.checkFile({ upload: new Uint8Array(signedOnce(signedBy(authorities.named('person-1')))) })
  const attached = authorities.named('person-1').signCms(Buffer.from('of others'), { detached: false })
  await author.registerFile({ upload: new Uint8Array(attached) })
  await author.checkEvidence({ upload: new Uint8Array(Buffer.from(evidence, 'base64')) })
  await author.parseEvidence({ upload: new Uint8Array(Buffer.from(evidence, 'base64')) })
  await author.buildPartnerCms({ id, upload })
  const { fileName } = await author.buildFileName({ id, query: { name: 'Contract.pdf' } })
  await author.idFromFileName({ query: { name: fileName } })
  await author.normalizeId({ specialId: ` ${id} ` })
  const [incoming] = (await head.listIncoming()).items
  const [outgoing] = (await author.listOutgoing()).items
  if (incoming === undefined || outgoing === undefined) throw new Error('Nothing was sent')
  await head.getIncoming({ incomingId: incoming.incomingId, query: { includeDetails: true } })
  await author.commentOutgoing({ outgoingId: outgoing.outgoingId, request: { comment: 'Two pages' } })
  await author.remindOutgoing({ outgoingId: outgoing.outgoingId, request: {} })
  await head.commentIncoming({ incomingId: incoming.incomingId, request: { status: 'accepted', comment: 'Agreed' } })
  await author.getOutgoing({ outgoingId: outgoing.outgoingId, query: { includeDetails: true } })
  await author.getDocumentThread({ id })
}

async function packageOfTwo(author: Client, head: Client, authorities: DevAuthorities): Promise<void> {
  const originals = [Buffer.from('Order 17'), Buffer.from('Order 18')]
  const { packageId, documentsIds } = await author.registerPackage({
    request: {
      title: 'Orders',
      description: 'Paper for November',
      documents: [
        { title: 'Order 17.txt', description: '' },
        { title: 'Order 18.txt', description: '' },
      ],
      documentsSettings: { tempStorageAfterRegistration: DAY },
    },
  })
  for (const [at, id] of documentsIds.entries())
    await author.fixDigests({ id, upload: new Uint8Array(originals[at] ?? []) })
  const signatures = originals.map((original) => ({ signature: sign(authorities.named('person-1'), original) }))
  await author.signPackage({ packageId, request: { signatures } })
  await author.notifyPackage({ packageId, request: { emailNotifications: { to: ['office@example.kz'] } } })
  await author.listPackageNotifications({ packageId })
  const begun = { description: 'Orders of November' }
  const cancelled = await author.beginPackageProcedure({ packageId, request: begun })
  await author.cancelPackageProcedure({ packageId, operationId: cancelled.operationId })
  const { operationId, govMobileLaunchLink } = await author.beginPackageProcedure({ packageId, request: begun })
  await new DevPhone(authorities.named('person-2')).sign(govMobileLaunchLink)
  await author.getPackageProcedure({ packageId, operationId })
  await author.getPackage({ packageId })
  await author.getPackageThread({ packageId })
  await author.getPackageEvidence({ packageId })
  await author.changePackageSettings({ packageId, request: { private: true } })
  await author.getPackageSettingsAudit({ packageId })
  await author.listPackages()
  await author.sendPackage({ packageId, request: { to: ORGANIZATION } })
  await head.listIncoming()
}

/** A contract is forwarded to the authority that registers vehicles. */
async function carSale(author: Client, authorities: DevAuthorities): Promise<void> {
  const original = Buffer.from(CAR)
  const { documentId: id } = await author.registerDocument({
    request: {
      title: 'Car.pdf',
      signature: sign(authorities.named('person-1'), original),
      settings: { private: true, publicProof: true, forceArchive: true },
    },
  })
  await author.fixDigests({ id, upload: new Uint8Array(original) })
  await author.getDocumentProof({ id })
  const request = { documentTypeCode: 'vehicleSaleContract', signers: ['seller'] }
  await author.setIntegrationRegisterAuto({ id, request })
  await author.getIntegrationRegisterAuto({ id })
}

/** A browser, which keeps the cookie of the login that it began. */
async function phoneLogin(url: string, send: typeof fetch, authorities: DevAuthorities): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const begun = await send(`${url}/api/auth/govQr`, { method: 'POST', headers, body: '{}' })
  const { loginId, govMobileLaunchLink } = Object(await begun.json())
  await new DevPhone(authorities.named('person-2-auth')).sign(govMobileLaunchLink)
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await send(`${url}/api/auth/govQr/${loginId}`, { headers: { cookie } })
  await send(`${url}/api/auth/govQr/${loginId}`, { method: 'POST', headers: { ...headers, cookie }, body: '{}' })
}

async function lookAround(author: Client): Promise<void> {
  await author.getUserSettings()
  await author.saveUserSettings({ request: { email: 'author@example.kz', emailNotificationsEnabled: true } })
  await author.getMailAddresses()
  await author.acceptMail({ request: { address: 'author@example.kz' } })
  await author.getUserSettingsAudit()
  await author.getAuthenticationLog()
  await author.listRecipients()
  const monthly = { name: 'Monthly order', documents: ['Order'], send: { to: ORGANIZATION, toSign: true, days: 5 } }
  const { templateId } = await author.saveTemplate({ request: monthly })
  await author.listTemplates()
  await author.deleteTemplate({ templateId })
  await author.getExternalServicesStats()
  await author.getStrings()
  await author.getVersion()
  await author.getStatementKey()
}

/** Whether all deliveries are settled, so that every run shows the same states. */
async function isQuiet(registry: Registry, now: number): Promise<boolean> {
  const moving = await registry
    .get(Database)
    .query('registry_deliveries')
    .where({ state: 'sending' })
    .orWhere((waiting) => waiting.where({ state: 'waiting' }).andWhere('next_at', '<=', now))
    .orWhere((claimed) => claimed.where({ state: 'waiting' }).whereNotNull('lease'))
    .first('id')
  return moving === undefined
}

/** A `fetch` that records requests and answers, and waits before each call. */
const recording =
  (exchanges: Exchange[], turn: () => Promise<void>): typeof fetch =>
  async (url, init = {}) => {
    await turn()
    const response = await fetch(url, init)
    const operation = operationAt(init.method ?? 'GET', new URL(String(url)).pathname)
    const request = typeof init.body === 'string' ? { request: JSON.parse(init.body) } : {}
    if (response.ok) exchanges.push({ operation, ...request, answer: await response.clone().json() })
    return response
  }

/** Static routes come before those with parameters, as in a router. */
function operationAt(method: string, pathname: string): string {
  const found = routes
    .filter((route) => route.method === method)
    .filter(({ path }) => new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname))
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
  const [first] = found
  if (first === undefined) throw new Error(`There is no operation at ${method} ${pathname}`)
  return first.operation.id
}
