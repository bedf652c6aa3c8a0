import { expect } from 'chai'
import { type Access, documentAccess, packageAccess, type Way } from '#core/identity/access-table.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { exhaustive } from '../../support/sweep.js'
import { CALLERS, type MatrixCaller } from './callers.js'
import {
  DOCUMENT_ENDPOINTS,
  ITEM_ENDPOINTS,
  KNOWN_ENDPOINTS,
  type ObjectEndpoint,
  PACKAGE_ENDPOINTS,
  PLAIN_ENDPOINTS,
} from './endpoints.js'
import { DOCUMENTS, PACKAGES } from './objects.js'
import * as oracle from './oracle.js'
import { buildWorld, type Request, WORD, type World } from './world.js'

const AT_ONCE = 8
const EACH = 5

describe('the access matrix', () => {
  forEachDatabase((open) => {
    let world: World
    before(async () => {
      world = await buildWorld(await open())
    })
    after(async () => {
      await world.close()
    })

    /** Asserts one cell: gives the code of the answer, or `allowed` when the access check was passed. */
    async function told(caller: MatrixCaller, request: Request, past: readonly string[] = []): Promise<string> {
      const answer = await world.ask(caller, request)
      if (answer.status === 200) return 'allowed'
      const json = answer.json()
      if (past.includes(json.code)) return 'allowed'
      // A refusal says nothing else about the object.
      expect(Object.keys(json).filter((key) => key !== 'details')).to.have.members(['code', 'message', 'requestID'])
      return json.code
    }

    /** Reports every unexpected cell, not only the first. */
    async function assertCells(work: readonly (() => Promise<string | undefined>)[]): Promise<void> {
      const queue = work[Symbol.iterator]()
      const wrong: string[] = []
      const worker = async () => {
        for (const cell of queue) {
          const difference = await cell()
          if (difference !== undefined) wrong.push(difference)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      expect(wrong).to.deep.equal([])
    }

    /** Every cell on SQLite or when the run is exhaustive; on MariaDB a fifth, of each endpoint and of each caller. */
    const isHere = (endpoint: number, caller: number): boolean =>
      exhaustive || open === openSqlite || (endpoint + caller) % EACH === 0

    /**
     * A sample, unless the run is exhaustive. Endpoints that one rule opens share the work: by the rule of most endpoints
     * (viewing) every caller meets every object once on SQLite, each time at another endpoint. Of every other rule, and of
     * everything on MariaDB, it is a fifth, always all callers and all objects.
     */
    const isSampled = <T>(
      endpoint: ObjectEndpoint<T>,
      of: readonly ObjectEndpoint<T>[],
      object: number,
      caller: number,
    ) => {
      if (exhaustive) return true
      const sharing = of.filter(({ who }) => who === endpoint.who)
      const cell = object + caller
      if (cell % sharing.length !== sharing.indexOf(endpoint)) return false
      const turn = Math.floor(cell / sharing.length) + of.indexOf(endpoint)
      return (open === openSqlite && sharing.length > 2) || turn % EACH === 0
    }

    const assertObjects = <T extends { name: string }>(
      endpoint: ObjectEndpoint<T>,
      of: readonly ObjectEndpoint<T>[],
      objects: ReadonlyMap<T, string>,
    ): Promise<void> =>
      assertCells(
        [...objects].flatMap(([facts, id], at) =>
          CALLERS.filter((_, who) => isSampled(endpoint, of, at, who)).map((caller) => async () => {
            const [method = ''] = endpoint.route.split(' ')
            const answer = await told(caller, { method, ...endpoint.request(id, facts) }, endpoint.past)
            const wanted = endpoint.expected(caller, facts)
            return answer === wanted ? undefined : `${caller.name}, ${facts.name}: ${answer}, not ${wanted}`
          }),
        ),
      )

    it('knows every endpoint', () => {
      const served = world.routes
        .filter((route) => !route.includes('/api/development/'))
        .map((route) => route.replace('/api', '').replace(/(?<! )\/$/, ''))
      const gets = served.filter((route) => route.startsWith('HEAD ')).map((route) => route.replace('HEAD', 'GET'))
      const others = served.filter((route) => !route.startsWith('HEAD '))
      expect(others).to.include.members(gets)
      const named = (route: string) => (route.includes('/') ? route : `${route}/`)
      expect([...new Set(others.map(named))]).to.have.members(KNOWN_ENDPOINTS)
    })

    describe('lists only what is the caller’s', () => {
      const lists = [
        { url: '?', of: 'documents' as const, right: 'documentsList' as const },
        { url: `?searchQuery=${WORD}&`, of: 'documents' as const, right: 'documentsList' as const },
        { url: '/package?', of: 'packages' as const, right: 'packagesList' as const },
      ]
      for (const { url, of, right } of lists) {
        for (const organization of [false, true]) {
          it(`GET /api${url}organization=${organization}`, () =>
            assertCells(
              CALLERS.map((caller) => async () => {
                const request = { method: 'GET', url: `${url}organization=${organization}` }
                const answer = await world.ask(caller, request)
                const { status } = answer
                const json = answer.json()
                const wanted = organization
                  ? oracle.outcomeForOrganization(caller, right)
                  : oracle.outcome(caller, caller.kind !== 'anonymous')
                if (status !== 200)
                  return json.code === wanted ? undefined : `${caller.name}: ${json.code}, not ${wanted}`
                if (wanted !== 'allowed') return `${caller.name}: ${status}, not ${wanted}`
                const items: string[] =
                  of === 'documents'
                    ? json.documents.map((item: { documentId: string }) => item.documentId)
                    : json.packages.map((item: { packageId: string }) => item.packageId)
                // Other cells preregister documents, and packages have some: only their titles lack the word.
                const made = new Set([...world.documents.values(), ...world.packages.values()])
                const shown = url.includes(WORD) ? items : items.filter((id) => made.has(id))
                const due = of === 'documents' ? dueDocuments(caller, organization) : duePackages(caller, organization)
                const total = of === 'documents' ? json.documentsTotal : json.packagesTotal
                const same = shown.toSorted().join() === due.toSorted().join() && total === items.length
                return same ? undefined : `${caller.name}: ${shown.length} (total ${total}), not ${due.length}`
              }),
            ))
        }
      }
      const dueDocuments = (caller: MatrixCaller, organization: boolean) => {
        const listed = organization ? oracle.listsDocumentOfOrganization : oracle.listsDocument
        return [...world.documents].flatMap(([facts, id]) => (listed(caller, facts) ? [id] : []))
      }
      const duePackages = (caller: MatrixCaller, organization: boolean) => {
        const listed = organization ? oracle.listsPackageOfOrganization : oracle.listsPackage
        return [...world.packages].flatMap(([facts, id]) => (listed(caller, facts) ? [id] : []))
      }
    })

    describe('opens documents by the rules', () => {
      for (const endpoint of DOCUMENT_ENDPOINTS) {
        it(endpoint.route, () => assertObjects(endpoint, DOCUMENT_ENDPOINTS, world.documents))
      }
    })

    describe('opens packages by the rules', () => {
      for (const endpoint of PACKAGE_ENDPOINTS) {
        it(endpoint.route, () => assertObjects(endpoint, PACKAGE_ENDPOINTS, world.packages))
      }
    })

    describe('opens what was sent to its two sides', () => {
      for (const endpoint of ITEM_ENDPOINTS) {
        it(endpoint.route, () => assertObjects(endpoint, ITEM_ENDPOINTS, world.items))
      }
      for (const [side, path, idOf] of [
        ['receiver', 'incoming', 'incomingId'],
        ['sender', 'outgoing', 'outgoingId'],
      ] as const) {
        it(`GET /${path}`, () =>
          assertCells(
            CALLERS.map((caller) => async () => {
              const answer = await world.ask(caller, { method: 'GET', url: `/${path}` })
              const wanted = oracle.outcomeForItems(caller)
              if (answer.status !== 200 || wanted !== 'allowed') {
                const code = answer.status === 200 ? 'allowed' : answer.json().code
                return code === wanted ? undefined : `${caller.name}: ${code}, not ${wanted}`
              }
              const shown = new Set(answer.json().items.map((item: Record<string, string>) => item[idOf]))
              const wrong = [...world.items].filter(
                ([facts, id]) => shown.has(id) !== oracle.listsItem(caller, side, facts),
              )
              return wrong.length === 0 ? undefined : `${caller.name}: ${wrong.map(([{ name }]) => name)}`
            }),
          ))
      }
    })

    it('opens everything else by who calls', () =>
      assertCells(
        PLAIN_ENDPOINTS.flatMap(({ route, request, past = [], expected }, at) =>
          CALLERS.filter((_, who) => isHere(at, who)).map((caller) => async () => {
            const [method = ''] = route.split(' ')
            const answer = await told(caller, { method, ...request }, past)
            const wanted = expected(caller)
            return answer === wanted ? undefined : `${route}, ${caller.name}: ${answer}, not ${wanted}`
          }),
        ),
      ))

    it('answers nobody about objects that do not exist', () =>
      assertCells(
        [...DOCUMENT_ENDPOINTS, ...PACKAGE_ENDPOINTS].flatMap((endpoint, at) =>
          CALLERS.filter((_, who) => exhaustive || (at + who) % EACH === 0).map((caller) => async () => {
            const [method = ''] = endpoint.route.split(' ')
            const facts = { name: '', private: true, signatures: [] }
            const answer = await told(caller, { method, ...endpoint.request('0'.repeat(16), facts) })
            const absent = endpoint.route.includes('package') ? 'packageNotFound' : 'documentNotFound'
            // Callers who may send nothing at all are refused for that first.
            const sends = !endpoint.route.endsWith('/send') || oracle.maySend(caller, { ...facts, private: false })
            const wanted = caller.kind === 'refused' || !sends ? oracle.outcome(caller, false) : absent
            return answer === wanted ? undefined : `${endpoint.route}, ${caller.name}: ${answer}, not ${wanted}`
          }),
        ),
      ))
  })

  it('has a cell for every way of the access table that no other way opens', () => {
    const nameOf = (way: Way) => (typeof way === 'string' ? way : `${way.through} ${way.right}`)
    const alone = <T>(objects: readonly T[], reasons: (caller: MatrixCaller, facts: T) => string[]) =>
      new Set(
        objects.flatMap((facts) =>
          CALLERS.flatMap((caller) => {
            const found = reasons(caller, facts)
            return found.length === 1 ? found : []
          }),
        ),
      )
    const ways = ({ ways: all }: Access) => all.map(nameOf)
    expect([...alone(DOCUMENTS, oracle.mayView)]).to.have.members(ways(documentAccess.view))
    expect([...alone(DOCUMENTS, oracle.mayChangeSettings)]).to.have.members(ways(documentAccess.changeSettings))
    expect([...alone(PACKAGES, oracle.mayViewPackage)]).to.have.members(ways(packageAccess.view))
    expect([...alone(PACKAGES, oracle.mayChangePackageSettings)]).to.have.members(ways(packageAccess.changeSettings))
    expect([...alone(DOCUMENTS, oracle.mayAct)]).to.have.members(ways(documentAccess.act))
    expect([...alone(PACKAGES, oracle.mayActOnPackage)]).to.have.members(ways(packageAccess.act))
    expect([...alone(PACKAGES, oracle.maySendDocumentsOf)]).to.have.members(ways(packageAccess.sendDocuments))
  })
})
