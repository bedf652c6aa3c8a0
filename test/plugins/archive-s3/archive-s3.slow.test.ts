import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { archiveS3, parseArchiveUrl, S3Store } from '@signed-registry/archive-s3'
import { ArchiveFull } from '@signed-registry/core'
import { archiveStoreContract, checkContract } from '@signed-registry/core/contracts'
import { AwsClient } from 'aws4fetch'
import { expect } from 'chai'
import { checkOf } from '../../support/check-of.js'
import { hold } from '../../support/hold.js'
import type { ObjectStore } from '../../support/object-store.js'
import { objectStores } from '../../support/object-stores.js'
import { bytesIn, chunksOf, newKey } from '../../support/objects.js'

const MIB = 1024 * 1024

describe('an object store as an archive store', () => {
  for (const { name, isInstalled, start, required } of objectStores)
    describe(`on ${name}${isInstalled ? '' : ' (skipped: it is not installed)'}`, () => {
      let server: ObjectStore
      let store: S3Store
      before(async function () {
        if (!isInstalled) return process.env[required] === '1' ? expect.fail(`no ${name}`) : this.skip()
        server = await start()
        store = new S3Store(await server.createBucket())
      })
      after(() => server?.stop())

      hold(archiveStoreContract({ open: () => store, large: 17 * MIB }))

      hold(
        checkContract({
          well: async () => checkOf(archiveS3(await server.createBucket())),
          ill: async () => checkOf(archiveS3({ ...(await server.createBucket()), bucket: 'nowhere' })),
        }),
      )

      it('keeps to its prefix', async () => {
        const options = await server.createBucket()
        const [one, other] = [
          new S3Store({ ...options, prefix: 'one/' }),
          new S3Store({ ...options, prefix: 'other/' }),
        ]
        const key = newKey()
        await one.put(key, chunksOf(Buffer.from('one')), 3)
        expect(await other.get(key)).to.equal(undefined)
        const listed = []
        for await (const object of other.list()) listed.push(object)
        expect(listed).to.deep.equal([])
        expect(String(await bytesIn(one, key))).to.equal('one')
      })

      it('is refused with a wrong secret', async () => {
        const options = await server.createBucket()
        const wrong = new S3Store({ ...options, secretAccessKey: 'wrong' })
        const refused = await wrong.put(newKey(), chunksOf(Buffer.from('one')), 3).catch((error: unknown) => error)
        expect(refused).to.include({ name: 'S3Error', code: 'SignatureDoesNotMatch' })
      })

      it('forgets what an upload in parts left, when its object is deleted', async () => {
        const options = await server.createBucket()
        const calls = new AwsClient({ ...options, service: 's3', region: 'us-east-1' })
        const [key, bucket] = [newKey(), `${options.endpoint}/${options.bucket}`]
        expect((await calls.fetch(`${bucket}/${key}?uploads`, { method: 'POST' })).status).to.equal(200)
        const left = async () => (await (await calls.fetch(`${bucket}?uploads`)).text()).includes(key)
        expect(await left()).to.equal(true)
        await new S3Store(options).delete(key)
        expect(await left()).to.equal(false)
      })
    })

  describe('that fails', () => {
    let server: Server
    const calls: string[] = []
    let answer: (request: IncomingMessage, response: ServerResponse, call: number) => void
    const store = (options = {}) => {
      const address = server.address()
      const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
      return new S3Store({ endpoint, bucket: 'bucket', accessKeyId: 'id', secretAccessKey: 'hush', ...options })
    }
    before(async () => {
      server = createServer((request, response) => {
        calls.push(`${request.method} ${request.url}`)
        const number = calls.length
        request.resume().once('end', () => answer(request, response, number))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
    })
    beforeEach(() => {
      calls.length = 0
    })
    after(() => server.close())
    const rejection = (promise: Promise<unknown>) =>
      promise.then(
        () => 'nothing was refused',
        (thrown: unknown) => thrown,
      )
    const put = (size: number, options = {}) => store(options).put(newKey(), chunksOf(Buffer.alloc(size)), size)

    it('is asked again, with the same bytes', async () => {
      answer = (_, response, call) => response.writeHead(call < 3 ? 503 : 200).end()
      await put(1000)
      expect(new Set(calls).size).to.equal(1)
      expect(calls).to.have.length(3)
    })

    it('is not asked for ever', async () => {
      answer = (_, response) => response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
      const error = await rejection(put(1000, { attempts: 2 }))
      expect(error).to.include({ name: 'S3Error', status: 500, code: 'InternalError' })
      expect(calls).to.have.length(2)
    })

    it('is not waited for when it keeps silent', async () => {
      answer = () => undefined
      expect(await rejection(put(1000, { attempts: 1, timeoutMs: 50 }))).to.have.property('name', 'S3Error')
    })

    it('reports that it is full', async () => {
      answer = (_, response) => response.writeHead(507).end()
      expect(await rejection(put(1000))).to.be.instanceOf(ArchiveFull)
      expect(calls).to.have.length(1)
      answer = (_, response) => response.writeHead(403).end('<Error><Code>QuotaExceeded</Code></Error>')
      expect(await rejection(put(1000))).to.be.instanceOf(ArchiveFull)
    })

    it('is refused where it does not know the key', async () => {
      answer = (_, response) => response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
      const error = await rejection(put(10))
      expect(error).to.have.property('code', 'SignatureDoesNotMatch')
      expect(calls).to.have.length(1)
    })

    it('is told to forget an upload in parts that does not end well', async () => {
      answer = (request, response) => {
        if (request.url?.includes('uploads')) response.end('<R><UploadId>up</UploadId></R>')
        else if (request.method === 'POST') response.end('<Error><Code>InternalError</Code></Error>')
        else
          response
            .setHeader('etag', '"1"')
            .writeHead(request.method === 'DELETE' ? 204 : 200)
            .end()
      }
      expect(await rejection(put(17 * MIB))).to.have.property('code', 'InternalError')
      expect(calls.at(-1)).to.match(/^DELETE .*uploadId=up/)
    })

    it('is asked for the rest of a list that it cuts', async () => {
      const keys = [newKey(), newKey()]
      answer = (request, response) => {
        const isLast = request.url?.includes('continuation-token=more%2F1')
        const next = isLast ? '' : '<NextContinuationToken>more/1</NextContinuationToken>'
        const [key] = isLast ? keys.slice(1) : keys
        const object = `<Contents><Key>${key}</Key><Size>7</Size></Contents>`
        response.end(`<ListBucketResult>${object}<IsTruncated>${!isLast}</IsTruncated>${next}</ListBucketResult>`)
      }
      const listed = []
      for await (const object of store().list()) listed.push(object)
      expect(listed).to.deep.equal(keys.map((key) => ({ key, size: 7 })))
    })

    it('is found by virtual hosts where it wants to be', async () => {
      answer = (request, response) =>
        response.writeHead(request.headers.host?.startsWith('bucket.localhost') ? 200 : 400).end()
      const address = server.address()
      const endpoint = `http://localhost:${typeof address === 'object' ? address?.port : 0}`
      await put(10, { endpoint, style: 'virtual', attempts: 1 }).catch(
        (error: Error & { cause?: { code?: string } }) => {
          // Not every machine resolves names below localhost.
          if (error.cause?.code !== 'ENOTFOUND' && error.cause?.code !== 'EAI_AGAIN') throw error
        },
      )
    })
  })

  describe('by its address', () => {
    it('has everything in it', () => {
      expect(
        parseArchiveUrl('s3://id:a%2Fb@s3.example.kz:9000/bucket/some/prefix?region=kz&style=virtual&tls=off'),
      ).to.deep.equal({
        endpoint: 'http://s3.example.kz:9000',
        bucket: 'bucket',
        prefix: 'some/prefix/',
        region: 'kz',
        accessKeyId: 'id',
        secretAccessKey: 'a/b',
        style: 'virtual',
      })
    })

    it('takes what it leaves out from the usual variables', () => {
      const variables = {
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_REGION: 'kz',
        AWS_SESSION_TOKEN: 't',
      }
      expect(parseArchiveUrl('s3://s3.example.kz/bucket', variables)).to.deep.equal({
        endpoint: 'https://s3.example.kz',
        bucket: 'bucket',
        region: 'kz',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        sessionToken: 't',
        style: 'path',
      })
    })

    it('is refused without repeating its secret', () => {
      for (const address of [
        'https://id:hush@h/b',
        's3://h/b',
        's3://id:hush@h/b?style=x',
        's3://id:hush@h/b?tls=no',
        'hush',
      ]) {
        expect(() => parseArchiveUrl(address))
          .to.throw(TypeError)
          .with.property('message')
          .not.match(/hush/)
      }
      expect(() => archiveS3(parseArchiveUrl('s3://id:hush@h/B!'))).to.throw(TypeError, 'archive-s3: /bucket')
    })
  })
})
