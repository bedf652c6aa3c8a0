import { expect } from 'chai'
import { logSettingsOf } from '#core/log/log-settings.js'
import { logKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { newLogKey } from '../../support/log-key.js'

const witness = (number: number, url: string) => `witness w${number} ${witnessOf(number).key} ${url}\n`

describe('the witnesses in the settings of a log', () => {
  const given = (witnesses: string) => () => logSettingsOf({ witnesses: `${witnesses}quorum none\n` })

  it('have an address each', () => {
    expect(given(witness(1, 'https://witness.example/w1'))().witnesses?.witnesses).to.have.length(1)
    expect(given(witness(1, ''))).to.throw(TypeError, 'log.witnesses gives the witness w1 no http: or https: address')
    expect(given(witness(1, 'ftp://witness.example'))).to.throw(TypeError, 'no http: or https: address')
    expect(given(witness(1, 'witness.example'))).to.throw(TypeError, 'no http: or https: address')
  })

  it('are so many that a note has room for their signatures', () => {
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => witness(at + 1, 'https://w.example')).join('')
    expect(given(some(32))().witnesses?.witnesses).to.have.length(32)
    expect(given(some(33))).to.throw(TypeError, 'log.witnesses names more than 32 witnesses')
  })

  it('have names that the database has room for', () => {
    const named = (name: string) => witness(1, 'https://w.example').replace('w1', name)
    expect(given(named('w'.repeat(255)))().witnesses?.witnesses).to.have.length(1)
    expect(given(named('w'.repeat(256)))).to.throw(
      TypeError,
      'log.witnesses names a witness in more than 255 characters',
    )
  })

  it('are a policy', () => {
    expect(given('witness\n')).to.throw(TypeError, 'log.witnesses is no policy')
  })
})

describe('the logs that a registry is a witness of', () => {
  const given = (origin: string) => () =>
    logSettingsOf({ witnessFor: `log ${logKeyOf(origin, 1)}\nquorum none\n`, witnessKey: newLogKey() })

  it('have names that the database has room for', () => {
    expect(given('o'.repeat(255))().witnessFor?.logs).to.have.length(1)
    expect(given('o'.repeat(256))).to.throw(TypeError, 'log.witnessFor names a log in more than 255 characters')
  })

  it('need a key', () => {
    const witnessFor = `log ${logKeyOf('o', 1)}\nquorum none\n`
    expect(() => logSettingsOf({ witnessFor })).to.throw(TypeError, 'log.witnessFor needs log.witnessKey')
  })
})
