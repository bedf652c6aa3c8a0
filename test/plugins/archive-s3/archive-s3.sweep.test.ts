import { randomBytes } from 'node:crypto'
import { S3Store } from '@signed-registry/archive-s3'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { expect } from 'chai'
import { EncryptedStore } from '#core/originals/encryption.js'
import { forEachDatabase } from '../../support/databases.js'
import { hold } from '../../support/hold.js'
import { killUploads } from '../../support/killed-uploads.js'
import type { ObjectStore } from '../../support/object-store.js'
import { objectStores } from '../../support/object-stores.js'
import { bytesIn, chunksOf, newKey } from '../../support/objects.js'
import { exhaustive } from '../../support/sweep.js'

const MIB = 1024 * 1024

for (const { name, isInstalled, start } of objectStores) {
  // There is no cheap sample: the stores take seconds to start, and the tests beside this file start them too.
  const declare = isInstalled && exhaustive ? describe : describe.skip
  const note = isInstalled ? 'in the full sweep alone' : 'skipped: it is not installed'

  declare(`${name} as an archive store (${note})`, () => {
    let server: ObjectStore
    let encrypted: EncryptedStore
    before(async () => {
      server = await start()
      encrypted = new EncryptedStore(new S3Store(await server.createBucket()), [{ name: 'a', key: randomBytes(32) }])
    })
    after(() => server.stop())

    describe('encrypted', () => hold(archiveStoreContract({ open: () => encrypted, large: 70 * MIB })))

    it('lists more objects than one answer holds', async () => {
      const many = new S3Store(await server.createBucket())
      const keys = Array.from({ length: 1003 }, newKey)
      for (let at = 0; at < keys.length; at += 17) {
        await Promise.all(keys.slice(at, at + 17).map((key) => many.put(key, chunksOf(Buffer.alloc(1)), 1)))
      }
      const listed = new Set<string>()
      for await (const { key } of many.list()) listed.add(key)
      expect([...listed].sort()).to.deep.equal([...keys].sort())
    })

    it('rejects while the service is down, and goes on when it is back', async () => {
      const options = { ...(await server.createBucket()), attempts: 2 }
      const [key, bytes] = [newKey(), randomBytes(20 * MIB)]
      const failing = new S3Store(options)
      await failing.put(key, chunksOf(bytes), bytes.length)
      await server.kill()
      for (const call of [() => failing.get(key), () => failing.put(newKey(), chunksOf(bytes), bytes.length)]) {
        const error = await call().catch((thrown: unknown) => thrown)
        expect(error).to.have.property('name', 'S3Error')
        expect(String(error)).to.not.include(options.secretAccessKey)
      }
      await server.start()
      expect((await bytesIn(failing, key))?.equals(bytes)).to.equal(true)
    })

    describe('keeps an original whose host is killed', () => {
      forEachDatabase((open) => {
        it('archived and counted, or neither', async () => {
          const { endpoint, bucket, ...keys } = await server.createBucket()
          const keyAndSecret = `${encodeURIComponent(keys.accessKeyId)}:${keys.secretAccessKey}`
          const address = `s3://${keyAndSecret}@${new URL(endpoint).host}/${bucket}?tls=off`
          const url = await open()
          await killUploads(url, address, url.startsWith('sqlite:') ? 100 : 30)
        })
      })
    })
  })
}
