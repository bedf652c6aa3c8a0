import { expect } from 'chai'
import { unsafeSettings } from '#core/database/unsafe-settings.js'

const SAFE = {
  innodb_flush_log_at_trx_commit: '1',
  innodb_doublewrite: 'ON',
  binlog_format: 'ROW',
  sync_binlog: '1',
  log_bin: 'ON',
  wsrep_on: 'OFF',
  max_allowed_packet: '67108864',
}

describe('settings of a database server', () => {
  it('of ours are safe, and so are those that it does not have', () => {
    expect(unsafeSettings(SAFE)).to.deep.equal([])
    expect(unsafeSettings({})).to.deep.equal([])
  })

  for (const [name, value] of [
    ['innodb_flush_log_at_trx_commit', '2'],
    ['innodb_doublewrite', 'OFF'],
    ['binlog_format', 'STATEMENT'],
    ['sync_binlog', '0'],
    ['max_allowed_packet', '16777216'],
  ] as const)
    it(`are not safe where ${name} is ${value}`, () => {
      const [first, ...others] = unsafeSettings({ ...SAFE, [name]: value })
      expect(first).to.match(new RegExp(`^${name} is ${value}: `))
      expect(others).to.deep.equal([])
    })

  it('are safe where the format is MIXED, the default of MariaDB', () => {
    expect(unsafeSettings({ ...SAFE, binlog_format: 'MIXED' })).to.deep.equal([])
  })

  it('of a binary log do not matter without one, but for the format on Galera', () => {
    const without = { ...SAFE, log_bin: 'OFF', sync_binlog: '0', binlog_format: 'MIXED' }
    expect(unsafeSettings(without)).to.deep.equal([])
    expect(unsafeSettings({ ...without, wsrep_on: 'ON' })).to.have.length(1)
  })
})
