import type { Registry } from '@signed-registry/core'
import { expect } from 'chai'
import { AuditStore, authorOf } from '../../../core/dist/audit/index.js'
import { anonymous } from '../../../core/dist/identity/index.js'
import {
  BIN,
  employeeCaller,
  IIN,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { NOW } from '../../support/pki/authorities.js'

describe('the audit', () => {
  forEachDatabase((open) => {
    let registry: Registry
    beforeEach(async () => {
      registry = await registryWithoutAuthorities(await open())
    })
    afterEach(() => registry.close())

    it('keeps events of each kind of owner apart, with ids that increase over all of them', async () => {
      const audit = registry.get(AuditStore)
      const owners = [
        ['document', 'AAAAAAAAAAAAAAAA'],
        ['document', 'aaaaaaaaaaaaaaaa'],
        ['package', 'AAAAAAAAAAAAAAAA'],
        ['document', 'AAAAAAAAAAAAAAAA'],
      ] as const
      const ids: number[] = []
      for (const [at, [ownerKind, ownerId]] of owners.entries()) {
        const change = { ownerKind, ownerId, original: { at }, modified: { at: at + 1 }, modifiedAt: NOW + at }
        ids.push(await audit.append({ ...change, ...authorOf(at ? systemCaller() : personCaller()) }))
      }
      expect(ids).to.deep.equal([...ids].sort((a, b) => a - b))
      expect(new Set(ids).size).to.equal(4)
      expect(await audit.page('document', 'AAAAAAAAAAAAAAAA', 0, 10)).to.deep.equal({
        eventsTotal: 2,
        events: [
          { eventId: ids[0], original: { at: 0 }, modified: { at: 1 }, modifiedBy: IIN, modifiedAt: NOW },
          {
            eventId: ids[3],
            original: { at: 3 },
            modified: { at: 4 },
            modifiedBy: BIN,
            modifiedByDigest: systemCaller().certificateDigest,
            modifiedAt: NOW + 3,
          },
        ],
      })
      expect((await audit.page('package', 'AAAAAAAAAAAAAAAA', 0, 10)).eventsTotal).to.equal(1)
      expect((await audit.page('user', 'AAAAAAAAAAAAAAAA', 0, 10)).eventsTotal).to.equal(0)
    })
  })

  it('names people by IIN, and systems by BIN and certificate', () => {
    expect(authorOf(employeeCaller())).to.deep.equal({ modifiedBy: IIN })
    expect(authorOf(systemCaller())).to.deep.equal({
      modifiedBy: BIN,
      modifiedByDigest: systemCaller().certificateDigest,
    })
    expect(authorOf(anonymous)).to.deep.equal({})
  })
})
