import { createRegistry } from '@signed-registry/core'
import { expect } from 'chai'
import { logSettingsOf } from '#core/log/log-settings.js'
import { newLogKey } from '../../support/log-key.js'

describe('the keys of a registry', () => {
  const [one, other] = [newLogKey(), newLogKey()]

  it('are another for checkpoints than for cosignatures', () => {
    expect(logSettingsOf({ key: one, witnessKey: other }).isOn).to.equal(true)
    expect(() => logSettingsOf({ key: one, witnessKey: one })).to.throw(
      TypeError,
      'log.key and log.witnessKey are one key: each needs its own',
    )
  })

  for (const [option, log] of [
    ['log.key', { key: one }],
    ['log.witnessKey', { key: other, witnessKey: one }],
  ] as const)
    it(`are another for statements than ${option}`, async () => {
      const { message } = await createRegistry({
        database: 'sqlite::memory:',
        plugins: [],
        statementKey: one,
        log,
      }).then(
        () => new Error('It was made'),
        (error: Error) => error,
      )
      expect(message).to.equal(`statementKey and ${option} are one key: each needs its own`)
    })
})
