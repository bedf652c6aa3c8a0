import { expect } from 'chai'
import { AuditReport } from '#host/cli/audit-log/audit-report.js'

describe('the report of audit-log in JSON', () => {
  const reported = (tell: (report: AuditReport) => void) => {
    const said: string[] = []
    const report = new AuditReport({ out: (text) => said.push(text), err: () => undefined }, true)
    tell(report)
    const code = report.end()
    return { code, told: JSON.parse(said.join('')) }
  }
  const long = 'x'.repeat(65_000)

  it('has ten thousand entries and findings at most, and counts the others', () => {
    const { code, told } = reported((report) => {
      for (let n = 0; n < 10_002; n += 1) report.entry(n, '', { n })
      for (let n = 0; n < 10_003; n += 1) report.find({ code: 'noted', weight: 'notice', text: '' })
    })
    expect(code).to.equal(0)
    expect([told.publicEntries.length, told.findings.length]).to.deep.equal([10_000, 10_000])
    expect(told.leftOff).to.deep.equal({ entries: 2, findings: 3 })
  })

  it('ends before it can no longer be written, however long the texts are', () => {
    const { code, told } = reported((report) => {
      report.find({ code: 'fork', weight: 'wrong', text: 'FORK' })
      for (let n = 0; n < 1000; n += 1) {
        report.entry(n, '', { long })
        report.find({ code: 'long', weight: 'notice', text: long })
      }
    })
    expect(code).to.equal(1)
    expect(told.findings[0].code).to.equal('fork')
    expect(told.publicEntries.length + told.leftOff.entries).to.equal(1000)
    expect(told.findings.length + told.leftOff.findings).to.equal(1001)
    expect([told.leftOff.entries, told.leftOff.findings]).to.satisfy((left: number[]) => left.every((n) => n > 400))
  })
})
