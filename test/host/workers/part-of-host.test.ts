import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { partOfHost } from '#host/workers/part-of-host.js'

describe('what one of several workers has of a host', () => {
  const MYSQL = 'mysql://a:b@localhost/c'
  const partOf = (env: Record<string, string>, workers: number) =>
    partOfHost(readConfig({ DATABASE_URL: MYSQL, ...env }), workers)

  it('is its part of the connections, shares and stamped reports, rounded up', () => {
    const env = { CONNECTIONS_PER_ADDRESS: '101', SHARES: 'uploads.stranger=9', STAMPED_REPORTS_PER_HOUR: '7' }
    const { connectionsPerAddress, shares, limits } = partOf(env, 2)
    expect(connectionsPerAddress).to.equal(51)
    expect(limits.stampedReportsPerHour).to.equal(4)
    expect(shares.uploads).to.deep.equal({ stranger: 5, strangers: 50, person: 16, system: 32, whole: 80 })
    expect(shares.cards).to.deep.equal({ stranger: 1, strangers: 1, person: 1, system: 1, whole: 1 })
  })

  it('leaves what the registry stores undivided, and no limit no limit', () => {
    const { connectionsPerAddress, shares } = partOf(
      { CONNECTIONS_PER_ADDRESS: '0', SHARES: 'procedures.stranger=9; uploads.whole=0' },
      4,
    )
    expect(connectionsPerAddress).to.equal(0)
    expect(shares.procedures).to.deep.equal({ stranger: 9 })
    expect(shares.temporaryStorage).to.equal(undefined)
    expect(shares.uploads?.whole).to.equal(0)
  })

  it('is its part of the mails in a second, rounded down', () => {
    const env = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.kz', MAIL_PER_SECOND: '5' }
    const { mail } = partOf(env, 2)
    expect(mail.kind === 'smtp' && mail.perSecond).to.equal(2)
  })
})
