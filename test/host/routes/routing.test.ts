import { anonymous, type Caller } from '@signed-registry/core'

import { expect } from 'chai'
import { apiOf, type TestApi } from '../../support/api-of.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import {
  clerk,
  PERSON,
  person,
  RECEIVER,
  type RoutingTest,
  receiver,
  routingTest,
  SENDER,
  sender,
} from '../../support/routing.js'

const UNKNOWN = 'AAAAAAAAAAAAAAAA'

forEachDatabase((open) => {
  describe('sending over HTTP', () => {
    let test: RoutingTest
    let api: TestApi
    before(async () => {
      test = await routingTest(open)
      api = await apiOf(test.registry)
    })
    after(async () => {
      await api.app.close()
      await test.registry.close()
    })

    const get = (caller: Caller, url: string) => api.ask(caller, 'GET', url)
    const post = (caller: Caller, url: string, body: unknown) => api.ask(caller, 'POST', url, body)
    const refusal = ({ status, json }: Awaited<ReturnType<typeof get>>) => [status, json.message]

    it('gives the outgoingId, and both sides read the item', async () => {
      const { packageId, documentsIds } = await test.complete()
      const { status, json } = await post(sender, `/package/${packageId}/send`, { to: RECEIVER, comment: 'look' })
      expect([status, Object.keys(json)]).to.deep.equal([200, ['outgoingId']])
      const { outgoingId } = json
      const item = { packageId, sentAt: test.clock.now(), sender: SENDER, receiver: RECEIVER, status: 'new' }
      const comments = [{ storedAt: test.clock.now(), author: SENDER, value: 'look' }]
      expect(await get(sender, `/outgoing/${outgoingId}`)).to.deep.equal({
        status: 200,
        json: { outgoingId, ...item, reminders: 0, remindersLeft: 3, comments },
      })
      expect(await get(receiver, `/incoming/${outgoingId}`)).to.deep.equal({
        status: 200,
        json: { incomingId: outgoingId, ...item, openedAt: test.clock.now(), comments },
      })
      const single = await post(sender, `/${documentsIds[0]}/send`, { to: PERSON })
      const { json: list } = await get(person, '/incoming?includeDetails=true')
      expect(list.incomingTotal).to.equal(1)
      expect(list.items[0]).to.include({ incomingId: single.json.outgoingId, documentId: documentsIds[0] })
      expect(list.items[0].document.incomingIds).to.deep.equal([single.json.outgoingId])
    })

    it('takes send at registration, and gives outgoingId with the hashes of the last document', async () => {
      const { json } = await post(sender, '/package', { ...UNTITLED, documents: [UNTITLED], send: { to: RECEIVER } })
      const original = Buffer.from('original')
      const answer = await api.app.inject({
        method: 'POST',
        url: `/api/${json.documentsIds[0]}/data`,
        headers: { 'content-type': 'application/octet-stream' },
        payload: original,
      })
      expect(answer.statusCode).to.equal(200)
      expect((await get(sender, `/outgoing/${answer.json().outgoingId}`)).json.status).to.equal('new')
    })

    it('filters lists by status, and pages them by until', async () => {
      const id = await test.sent()
      await post(receiver, `/incoming/${id}/comment`, { status: 'denied', comment: 'no' })
      const { json } = await get(receiver, '/incoming?status=denied')
      expect([json.incomingTotal, json.items[0].incomingId]).to.deep.equal([1, id])
      const { sentAt } = json.items[0]
      expect((await get(sender, `/outgoing?status=denied&from=${sentAt}`)).json.outgoingTotal).to.equal(1)
      expect((await get(sender, `/outgoing?status=denied&until=${sentAt}`)).json).to.deep.equal({
        outgoingTotal: 0,
        items: [],
      })
    })

    it('answers comments with the identifier of the side', async () => {
      const id = await test.sent()
      expect(await post(sender, `/outgoing/${id}/comment`, { comment: 'a' })).to.deep.equal({
        status: 200,
        json: { outgoingId: id },
      })
      expect(await post(receiver, `/incoming/${id}/comment`, { status: 'accepted' })).to.deep.equal({
        status: 200,
        json: { incomingId: id },
      })
    })

    it('refuses what is malformed', async () => {
      const id = await test.sent()
      const { packageId } = await test.complete()
      const comment = `/incoming/${id}/comment`
      const cases: [string, unknown, number, string][] = [
        [comment, { status: 'new' }, 400, 'Invalid JSON request structure'],
        [comment, { status: 'failed' }, 400, 'Invalid JSON request structure'],
        [comment, { status: 'Accepted' }, 400, 'Invalid JSON request structure'],
        [comment, { status: null }, 400, 'Invalid JSON request structure'],
        [comment, { comment: 5 }, 400, 'Invalid JSON request structure'],
        [comment, {}, 400, 'Comment or status is required'],
        [comment, { comment: 'x'.repeat(4001) }, 400, 'Request field size is too large'],
        [`/outgoing/${id}/comment`, {}, 400, 'Invalid JSON request structure'],
        [`/package/${packageId}/send`, {}, 400, 'Invalid JSON request structure'],
        [`/package/${packageId}/send`, { to: [RECEIVER] }, 400, 'Invalid JSON request structure'],
        [`/package/${packageId}/send`, { to: '123456789011' }, 400, 'Invalid receiver'],
        [`/package/${packageId}/send`, { to: RECEIVER, comment: {} }, 400, 'Invalid JSON request structure'],
        [`/package/${UNKNOWN}/send`, { to: PERSON }, 404, 'Package not found'],
        [`/${UNKNOWN}/send`, { to: PERSON }, 404, 'Document not found'],
        [`/incoming/${UNKNOWN}/comment`, { status: 'denied' }, 404, 'Incoming or outgoing item not found'],
        ['/incoming/x/comment', { status: 'denied' }, 404, 'Incoming or outgoing item not found'],
      ]
      for (const [url, body, status, message] of cases) {
        expect(refusal(await post(receiver, url, body)), `${url} ${JSON.stringify(body).slice(0, 60)}`).to.deep.equal([
          status,
          message,
        ])
      }
      for (const query of ['status=done', 'from=x', 'includeDetails=maybe']) {
        expect(refusal(await get(receiver, `/incoming?${query}`)), query).to.deep.equal([
          400,
          'Invalid URL query parameter',
        ])
      }
      expect((await get(receiver, `/incoming/${id}`)).json.comments).to.deep.equal([])
    })

    it('refuses who may not, and what comes too late', async () => {
      const id = await test.sent()
      const accept = { status: 'accepted' }
      expect(refusal(await post(anonymous, `/incoming/${id}/comment`, accept))).to.deep.equal([
        401,
        'Authentication required',
      ])
      for (const caller of [sender, clerk, person]) {
        expect(refusal(await post(caller, `/incoming/${id}/comment`, accept))).to.deep.equal([403, 'Access denied'])
      }
      await post(receiver, `/incoming/${id}/comment`, accept)
      expect(refusal(await post(receiver, `/incoming/${id}/comment`, accept))).to.deep.equal([
        409,
        'Status can not be changed',
      ])
      expect(refusal(await post(sender, `/outgoing/${id}/comment`, { comment: 'a' }))).to.deep.equal([
        409,
        'Comments are closed',
      ])
      const { packageId } = await test.complete()
      await test.sendPackage(packageId)
      expect(refusal(await post(sender, `/package/${packageId}/send`, { to: RECEIVER }))).to.deep.equal([
        409,
        'Already sent to this receiver',
      ])
      for (const url of ['/incoming', '/outgoing', `/incoming/${id}`, `/outgoing/${id}`]) {
        expect(refusal(await get(anonymous, url)), url).to.deep.equal([401, 'Authentication required'])
        expect(refusal(await get(clerk, url)), url).to.deep.equal([403, 'Access denied'])
      }
    })
  })
})
