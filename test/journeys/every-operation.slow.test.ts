import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { EXAMPLES_FILE, examples } from '../docs/openapi-examples.js'
import { routes } from '../support/routes.js'

describe('every operation', () => {
  it('answers, and OpenAPI shows what it answered, the same in every run ("npm run generate" writes it)', async () => {
    const made = await examples()
    expect(made).to.have.all.keys(routes.map(({ operation }) => operation.id))
    expect(JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'))).to.deep.equal(JSON.parse(JSON.stringify(made)))
  })
})
