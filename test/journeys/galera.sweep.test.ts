import { setTimeout as pause } from 'node:timers/promises'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { type AppAnnouncement, addressIn, type Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Knex } from 'knex'
import mysql from 'mysql2/promise'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { onGalera } from '../support/galera.js'
import { type Answer, request } from '../support/http.js'
import { signNonce } from '../support/login.js'
import { tokenIn } from '../support/login-over-http.js'
import { UNTITLED } from '../support/packages.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { amount } from '../support/sweep.js'
import { type PeerHost, type PeerHosts, startHosts } from '../support/two-hosts.js'
import { until } from '../support/until.js'

const HELD_MS = amount(1500, 10_000)
const STORIES = amount(6, 24)
const UNDER_WAY =
  'select 1 from information_schema.processlist where db = database() and info is not null and id <> connection_id()'
const ROUNDS = amount(5, 50)
const content = Uint8Array.from(Buffer.from('contract'))

/** A GET, or a POST of bytes or of JSON. */
function posting(body: object | undefined, cookie = ''): RequestInit {
  if (body === undefined) return { headers: { cookie } }
  const isBytes = body instanceof Uint8Array
  return {
    method: 'POST',
    headers: { cookie, 'content-type': isBytes ? 'application/octet-stream' : 'application/json' },
    body: isBytes ? content : JSON.stringify(body),
  }
}

/** Retries when a host is busy, like `Retry-After` says, but sooner. */
async function asked<T = Record<string, unknown>>(
  url: string,
  body?: object,
  cookie = '',
): Promise<Answer<T> & { late: number }> {
  for (let late = 0; ; late += 1) {
    const answer = await request<T>(url, posting(body, cookie))
    if (answer.status !== 503) return { ...answer, late }
    expect(answer.headers.get('retry-after'), answer.text).to.be.a('string')
    await pause(50)
  }
}

onGalera('hosts at the nodes of a Galera cluster', (galera) => {
  const authorities = presentAuthorities()
  let databases: readonly string[]
  let hosts: readonly PeerHost[] = []
  let close: PeerHosts['close'] = async () => undefined
  before(async () => {
    databases = await galera().createDatabase()
    const started = await startHosts(databases, authorities)
    ;({ hosts, close } = started)
    started.site.baseUrl = hosts[0]?.url ?? ''
    // Each has its connections for reading by then.
    for (const { url } of hosts) for (let n = 0; n < 3; n++) await asked(`${url}/api/auth`)
  })
  after(() => close())

  const at = (n: number): string => `${hosts[n]?.url}/api`
  const expectGood = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
    const { status, text, json } = await answer
    expect(status, text).to.equal(200)
    return json
  }
  const sign = (subject: Subject) => ({
    signature: subject.signCms(content, { timeStamp: true, ocsp: true }).toString('base64'),
  })

  /** Each host continues at once with what the one before it has stored. */
  async function story(first: number): Promise<void> {
    const [a, b, c] = [0, 1, 2].map((n) => at((first + n) % 3)) as [string, string, string]
    const [signer, stranger] = [authorities.person(), authorities.person()]

    const { nonce } = await expectGood(asked<{ nonce: string }>(`${a}/auth`, {}))
    const loggedIn = await asked(`${b}/auth`, { nonce, signature: signNonce(signer, nonce) })
    expect(loggedIn.status, loggedIn.text).to.equal(200)
    const cookie = `jwt=${tokenIn(loggedIn)}`
    await expectGood(asked(`${c}/auth`, undefined, cookie))

    const { documentId: id } = await expectGood(asked<{ documentId: string }>(`${a}`, sign(signer)))
    await expectGood(asked(`${b}/${id}/data`, content))
    const { signId } = await expectGood(asked<{ signId: number }>(`${c}/${id}`, sign(stranger)))
    const read = await expectGood(asked<{ signatures: { signId: number }[] }>(`${a}/${id}`))
    expect(read.signatures.map((one) => one.signId))
      .to.include(signId)
      .and.have.length(2)
    await expectGood(asked(`${b}/${id}/verify`, content))

    await expectGood(asked(`${a}/${id}/settings`, { private: true }, cookie))
    expect((await asked(`${b}/${id}`)).status).to.equal(401)
    await expectGood(asked(`${c}/${id}`, undefined, cookie))
    await expectGood(asked(`${b}/${id}/settings`, { private: false }, cookie))
    await expectGood(asked(`${c}/${id}`))

    const begun = await expectGood(asked<BegunRawProcedure>(`${a}/govQr`, { description: '' }))
    const address = new URL(addressIn(begun.govMobileLaunchLink))
    await expectGood(asked(`${new URL(address.pathname, b)}`))
  }

  const stories = () => Promise.all(Array.from({ length: STORIES }, (_, n) => story(n % 3)))

  it('know at once what each of them acknowledged', async () => {
    await stories()
  })

  it('let one win of those who use a nonce, or register a signature, at all nodes at once', async () => {
    const everywhere = async (path: string, body: object) => {
      const answers = await Promise.all([0, 1, 2].map((n) => asked(`${at(n)}${path}`, body)))
      return answers.map(({ status }) => status).sort()
    }
    for (let round = 0; round < ROUNDS; round++) {
      const signer = authorities.person()
      const { nonce } = await expectGood(asked<{ nonce: string }>(`${at(0)}/auth`, {}))
      expect(await everywhere('/auth', { nonce, signature: signNonce(signer, nonce) })).to.deep.equal([200, 400, 400])
      expect(await everywhere('', sign(signer))).to.deep.equal([200, 409, 409])
    }
  })

  it('send a document once to a receiver, whichever nodes are asked at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const signer = authorities.person()
      const { nonce } = await expectGood(asked<{ nonce: string }>(`${at(0)}/auth`, {}))
      const cookie = `jwt=${tokenIn(await asked(`${at(0)}/auth`, { nonce, signature: signNonce(signer, nonce) }))}`
      const { documentId } = await expectGood(asked<{ documentId: string }>(at(0), sign(signer)))
      const send = (n: number) => asked(`${at(n)}/${documentId}/send`, { to: 'IIN123456789011' }, cookie)
      const answers = await Promise.all([0, 1, 2].map(send))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
    }
  })

  it('let one phone follow a code, and give to one phone, whichever nodes are asked at once', async () => {
    for (let round = 0; round < Math.min(ROUNDS, 6); round++) {
      const code = async () => {
        const begun = await expectGood(asked<BegunRawProcedure>(`${at(0)}/auth/govQr`, {}))
        return new URL(addressIn(begun.govMobileLaunchLink)).pathname
      }
      const follow = (path: string, n: number, name: string) =>
        request<AppAnnouncement>(new URL(path, at(n)).href, { headers: { 'user-agent': name } })
      const take = (uri: string, token: string, n: number) =>
        request(new URL(new URL(uri).pathname, at(n % 3)).href, { headers: { authorization: `Bearer ${token}` } })
      const shown = await code()
      const followed = await Promise.all([0, 1, 2].map((n) => follow(shown, n, `phone ${n}`)))
      expect(followed.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])

      const again = await code()
      const phones = await Promise.all([0, 1, 2].map((n) => expectGood(follow(again, n, 'phone'))))
      const given = await Promise.all(
        [...phones, ...phones].map(({ document: { uri, auth_token: token } }, n) => take(uri, token, n)),
      )
      const [first, second] = [given.slice(0, 3), given.slice(3)].map((some) => some.map(({ status }) => status))
      expect(first?.toSorted()).to.deep.equal([200, 409, 409])
      expect(second).to.deep.equal(first)

      // A single phone that repeats its request is refused nowhere.
      const {
        document: { uri, auth_token: token },
      } = await expectGood(follow(await code(), 0, 'phone'))
      const asking = Array.from({ length: 45 }, (_, n) => take(uri, token, n))
      for (const answer of await Promise.all(asking)) expect(answer.status, answer.text).to.equal(200)
    }
  })

  it('complete a package whose last originals come to several nodes at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = authorities.person()
      const { nonce } = await expectGood(asked<{ nonce: string }>(`${at(0)}/auth`, {}))
      const cookie = `jwt=${tokenIn(await asked(`${at(0)}/auth`, { nonce, signature: signNonce(member, nonce) }))}`
      const documents = ['1', '2', '3'].map((title) => ({ title, description: '' }))
      const request = { ...UNTITLED, documents, send: { to: 'IIN123456789011' } }
      const { documentsIds } = await expectGood(asked<{ documentsIds: string[] }>(`${at(0)}/package`, request, cookie))
      const fixed = await Promise.all(
        documentsIds.map((id, n) => expectGood(asked<{ outgoingId?: string }>(`${at(n)}/${id}/data`, content, cookie))),
      )
      expect(fixed.filter(({ outgoingId }) => outgoingId !== undefined)).to.have.length(1)
    }
  })

  for (const node of [1, 2]) {
    it(`give no wrong answer while the applier of node ${node} is held`, async () => {
      await galera().hold(node)
      const [told] = await Promise.allSettled([stories(), pause(HELD_MS).then(() => galera().release(node))])
      if (told.status === 'rejected') throw told.reason
    })
  }

  it('say that they cannot serve where their node lags for longer than a statement waits', async () => {
    const lagging = at(1)
    await galera().hold(1)
    try {
      const { documentId } = await expectGood(asked<{ documentId: string }>(at(0), sign(authorities.person())))
      const answers = await Promise.all([
        request(`${lagging}/${documentId}`),
        request(`${lagging}/${documentId}/data`, posting(content)),
      ])
      for (const { status, headers } of answers) expect([status, headers.has('retry-after')]).to.deep.equal([503, true])
    } finally {
      await galera().release(1)
    }
    await story(1)
  })

  it('say that they cannot serve while their node is cut off, never that something is not there, and go on after it', async () => {
    const readiness = async (n: number) => (await hosts[n]?.registry.readiness())?.ready
    const [whole, , apart] = [at(0), at(1), at(2)]
    const signer = authorities.person()
    let documentId = ''
    await galera().isolate(2)
    try {
      documentId = (await expectGood(asked<{ documentId: string }>(whole, sign(signer)))).documentId
      const askOnce = async (url: string, body?: object) => (await request(url, posting(body))).status
      const answers = await Promise.all([
        askOnce(`${apart}/${documentId}`),
        askOnce(`${apart}/${documentId}/data`, content),
        askOnce(`${apart}/auth`, {}),
        askOnce(apart, sign(signer)),
        askOnce(`${apart}/govQr`, { description: '' }),
      ])
      expect(new Set(answers)).to.deep.equal(new Set([503]))
      expect([await readiness(0), await readiness(2)]).to.deep.equal([true, false])
    } finally {
      await galera().join(2)
    }
    await expectGood(asked(`${apart}/${documentId}/data`, content))
    await story(2)
  })

  describe('a statement at a node that lags', () => {
    const opened: Knex[] = []
    let near: Database
    let far: Database
    let url: string
    beforeEach(async () => {
      const [here = '', there = ''] = await galera().createDatabase('create table kept (id int primary key, value int)')
      const open = (url: string) => {
        const knex = openDatabase(url)
        opened.push(knex)
        return new Database({ pool: { knex, isForeign: false } })
      }
      near = open(here)
      far = open(there)
      url = there
      await near.query('kept').insert({ id: 1, value: 1 })
      for (let n = 0; n < 3; n++) await Promise.all([far.rows('select 1', []), far.query('kept').select()])
    })
    afterEach(async () => {
      for (const knex of opened.splice(0)) await knex.destroy()
    })

    const untilUnderWay = async () => {
      const watcher = await mysql.createConnection(url)
      await until(async () => {
        const [rows] = await watcher.query(UNDER_WAY)
        return Array.isArray(rows) && rows.length > 0
      })
      await watcher.end()
    }
    const question = 'select value from kept where id = 1'
    const statements: Readonly<Record<string, () => Promise<unknown>>> = {
      'reads, together with others': async () =>
        (await Promise.all([1, 2, 3].map(() => far.rows(question, [])))).map(([row]) => row?.value),
      'reads by itself': async () => [await far.query('kept').where({ id: 1 }).pluck('value')].flat(),
      'reads in a transaction': () => far.transaction(async () => far.query('kept').where({ id: 1 }).pluck('value')),
      'changes what it finds': async () => [(await far.query('kept').where({ value: 2 }).update({ value: 3 })) + 1],
      'deletes what it finds': async () => [(await far.query('kept').where({ value: 2 }).delete()) + 1],
    }
    for (const [what, send] of Object.entries(statements)) {
      it(`${what}: as it is, late`, async () => {
        await galera().hold(1)
        await near.query('kept').where({ id: 1 }).update({ value: 2 })
        const answer = send()
        await Promise.race([answer, untilUnderWay()])
        await galera().release(1)
        expect(new Set((await answer) as unknown[])).to.deep.equal(new Set([2]))
      })
    }
  })
})
