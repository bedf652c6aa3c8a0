import { anonymous, type Caller, type Registry, SystemKeys } from '@signed-registry/core'

import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { RegisterPackage } from '@signed-registry/core/packages'
import { SendDocument, SendPackage } from '@signed-registry/core/routing'
import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { signedFiles } from '@signed-registry/signed-files'
import type { FastifyInstance } from 'fastify'
import { registryApi } from '#host/api.js'
import { buildServer } from '#host/server.js'
import { employeeCaller, headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { signNonce } from '../../support/login.js'
import { UNTITLED } from '../../support/packages.js'
import { testRegistry, uploadOf } from '../../support/registry.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'
import { trustingApi } from '../../support/trusting-api.js'
import { A, B, CALLERS, certify, GRANTED, iinWith, type MatrixCaller, RIGHTS, roleWith, SYSTEMS } from './callers.js'
import {
  DOCUMENTS,
  ITEMS,
  type MatrixDocument,
  type MatrixItem,
  type MatrixPackage,
  PACKAGES,
  type Who,
} from './objects.js'

const METHODS = ['POST', 'PUT', 'DELETE'] as const

/** The word that every title has. */
export const WORD = 'matrix'

export interface Request {
  readonly method: string
  readonly url: string
  readonly payload?: string | Buffer | object
  readonly headers?: Readonly<Record<string, string>>
}

/** A registry with every caller and every object of the matrix. */
export interface World {
  readonly app: FastifyInstance
  /** `GET /api/...` of every route that the API has. */
  readonly routes: readonly string[]
  readonly documents: ReadonlyMap<MatrixDocument, string>
  readonly packages: ReadonlyMap<MatrixPackage, string>
  readonly items: ReadonlyMap<MatrixItem, string>
  /** Calls as somebody: people by the cookie of their login, systems by a certificate that a proxy vouches for. */
  ask(caller: MatrixCaller, request: Request): Promise<{ status: number; json(): ReturnType<JSON['parse']> }>
  close(): Promise<void>
}

export async function buildWorld(database: string): Promise<World> {
  const { registry, authorities } = await testRegistry(database, {
    plugins: [evidenceAsic({}), signedFiles({})],
    statementKey: STATEMENT_KEY,
  })
  const routes: string[] = []
  const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema === undefined || !('hide' in schema)) routes.push(...[method].flat().map((one) => `${one} ${url}`))
  })
  const proxies = { trusted: ['127.0.0.1'], certificateHeader: 'client-cert' }
  await app.register(registryApi, { registry, proxies, ...trustingApi })

  const certificates = await listSystems(registry, authorities)
  const headers = new Map<MatrixCaller, Record<string, string>>()
  for (const caller of CALLERS) headers.set(caller, await credentials(app, authorities, certificates, caller))
  const builder = new Builder(registry, authorities)
  return {
    app,
    routes,
    documents: await builder.all(DOCUMENTS, (one) => builder.document(one)),
    packages: await builder.all(PACKAGES, (one) => builder.package(one)),
    items: await builder.all(ITEMS, (one) => builder.item(one)),
    async ask(caller, { method, url, payload, headers: more }) {
      const answer = await app.inject({
        method: METHODS.find((one) => one === method) ?? 'GET',
        url: `/api${url}`,
        headers: { ...headers.get(caller), ...more },
        ...(payload !== undefined && { payload }),
      })
      return { status: answer.statusCode, json: () => answer.json() }
    },
    async close() {
      await app.close()
      await registry.close()
    },
  }
}

/** Lists the systems of A and of B, and grants each right to one IIN, one role and one certificate of A. */
async function listSystems(registry: Registry, authorities: DevAuthorities) {
  const of = (names: readonly string[]) => names.map(() => authorities.system())
  const certificates = { [A]: of(SYSTEMS), [B]: of(['all']) }
  const save = registry.get(SaveOrganizationSettings)
  const grants = (indices: (right: (typeof RIGHTS)[number]) => number[]) =>
    Object.fromEntries(
      RIGHTS.map((right) => [
        right,
        { iins: [GRANTED, iinWith(right)], authorities: [roleWith(right)], tlsCertificatesIndices: indices(right) },
      ]),
    )
  const list = (subjects: readonly Subject[]) =>
    subjects.map(({ certificatePem: body }, index) => ({ body, disabled: SYSTEMS[index] === 'disabled' }))
  const disabled = SYSTEMS.indexOf('disabled')
  await save.execute(headCaller({ bin: A }), {
    request: {
      tlsCertificatesList: list(certificates[A] ?? []),
      ...grants((right) => [RIGHTS.indexOf(right), disabled]),
    },
  })
  await save.execute(headCaller({ bin: B }), {
    request: { tlsCertificatesList: list(certificates[B] ?? []), ...grants(() => [0]) },
  })
  for (const [bin, subjects] of Object.entries(certificates))
    for (const [index, { certificate }] of subjects.entries())
      if (SYSTEMS[index] !== 'disabled') await registry.get(SystemKeys).confirm(certificate, bin)
  return certificates
}

async function credentials(
  app: FastifyInstance,
  authorities: DevAuthorities,
  certificates: Readonly<Record<string, readonly Subject[]>>,
  caller: MatrixCaller,
): Promise<Record<string, string>> {
  const { kind, iin, bin = '', certificate } = caller
  if (kind === 'anonymous') return {}
  if (iin === undefined) {
    const listed = typeof certificate === 'number' ? certificates[bin]?.[certificate] : authorities.system()
    return { 'client-cert': `:${listed?.certificate.toString('base64')}:` }
  }
  const post = (payload: object) => app.inject({ method: 'POST', url: '/api/auth', payload })
  const { nonce } = (await post({})).json()
  const answer = await post({ nonce, signature: signNonce(certify(authorities, iin, caller.bin, caller.roles), nonce) })
  const [cookie = ''] = String(answer.headers['set-cookie'] ?? '').split(';')
  if (!cookie.startsWith('jwt=')) throw new Error(`${caller.name} could not log in: ${answer.body}`)
  return { cookie }
}

/** Creates the objects through the ordinary operations. */
class Builder {
  #made = 0

  constructor(
    private readonly registry: Registry,
    private readonly authorities: DevAuthorities,
  ) {}

  async all<T>(facts: readonly T[], make: (fact: T) => Promise<string>): Promise<Map<T, string>> {
    const made = new Map<T, string>()
    for (const fact of facts) made.set(fact, await make(fact))
    return made
  }

  async document(facts: MatrixDocument): Promise<string> {
    const original = Buffer.from(`Document ${++this.#made}`)
    const settings = {
      private: facts.private,
      documentAccess: (facts.rules ?? []).map((rule) => ({ ...rule })),
      ...facts.more,
    }
    const preregistered = 'publicDuringPreregistration' in (facts.more ?? {}) || facts.signatures.length === 0
    const [first, ...others] = preregistered ? [undefined, ...facts.signatures] : facts.signatures
    const { id, dataSecret } = await this.#register(facts, settings, first && this.#sign(first, original))
    const query = dataSecret === undefined ? {} : { dataSecret }
    await this.registry.get(FixDigests).execute(registratorOf(facts), { id, upload: uploadOf(original), query })
    for (const other of others) {
      if (other === undefined) continue
      await this.registry
        .get(AddSignature)
        .execute(anonymous, { id, request: { signature: this.#sign(other, original) } })
    }
    if (facts.receiver !== undefined && facts.packageOf === undefined) {
      await this.registry
        .get(SendDocument)
        .execute(partyCaller(facts.signatures[0]?.iin ?? ''), { id, request: { to: facts.receiver } })
    }
    return id
  }

  async #register(
    facts: MatrixDocument,
    settings: object,
    signature: string | undefined,
  ): Promise<{ id: string; dataSecret?: string }> {
    const caller = registratorOf(facts)
    if (facts.packageOf !== undefined) {
      const documents = [{ ...UNTITLED, title: WORD }]
      const { documentsIds, dataSecret } = await this.registry.get(RegisterPackage).execute(caller, {
        request: {
          ...UNTITLED,
          documents,
          documentsSettings: settings,
          settings: { private: true },
          ...(facts.receiver !== undefined && { send: { to: facts.receiver } }),
        },
      })
      return { id: documentsIds[0] ?? '', ...(dataSecret !== undefined && { dataSecret }) }
    }
    const request = { title: WORD, settings, ...(signature !== undefined && { signature }) }
    return { id: (await this.registry.get(RegisterDocument).execute(caller, { request })).documentId }
  }

  async package(facts: MatrixPackage): Promise<string> {
    const rules = (given: readonly Who[] = []) => given.map((rule) => ({ ...rule }))
    const { registrator, registeredBy } = facts
    const caller = registratorOf({ registrator, packageOf: registeredBy })
    const settings = {
      private: facts.private,
      packageAccess: rules(facts.access),
      packageSettings: rules(facts.settings),
    }
    const original = Buffer.from(`Document ${++this.#made}`)
    const { packageId, documentsIds } = await this.registry.get(RegisterPackage).execute(caller, {
      request: {
        ...UNTITLED,
        title: WORD,
        settings,
        documents: [{ ...UNTITLED, title: 'of a package' }],
        documentsSettings: { private: facts.documentsPrivate ?? false },
      },
    })
    if (facts.receiver !== undefined) {
      await this.registry.get(FixDigests).execute(caller, { id: documentsIds[0] ?? '', upload: uploadOf(original) })
      await this.registry.get(SendPackage).execute(caller, { packageId, request: { to: facts.receiver } })
    }
    return packageId
  }

  async item({ sender, receiver, delivered }: MatrixItem): Promise<string> {
    const original = Buffer.from(`Document ${++this.#made}`)
    const signature = this.#sign({ iin: 'IIN300000000002' }, original)
    const { documentId } = await this.registry
      .get(RegisterDocument)
      .execute(anonymous, { request: { title: 'sent', signature } })
    if (delivered)
      await this.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
    const sent = await this.registry
      .get(SendDocument)
      .execute(partyCaller(sender), { id: documentId, request: { to: receiver } })
    return sent.outgoingId
  }

  #sign({ iin = '', bin }: Who, original: Buffer): string {
    return certify(this.authorities, iin, bin).signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
  }
}

/** Who speaks for a person or an organization. */
const partyCaller = (party: string): Caller =>
  party.startsWith('BIN') ? headCaller({ bin: party }) : personCaller(party)

/** Who registers: a system, the person or employee of the package, or nobody in particular. */
function registratorOf(facts: { registrator?: string | undefined; packageOf?: MatrixDocument['packageOf'] }): Caller {
  const { registrator, packageOf } = facts
  if (registrator !== undefined) return systemCaller({ bin: registrator, certificate: 'AAAA' })
  if (packageOf === undefined || packageOf === 'anonymous') return anonymous
  const { iin = '', bin } = packageOf
  return bin === undefined ? personCaller(iin) : employeeCaller({ iin, bin })
}
