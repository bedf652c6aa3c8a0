import { expect } from 'chai'
import { serveFrontPage } from '#host/browser/front-page.js'
import { buildServer } from '#host/server.js'

describe('the front page', () => {
  it('says what this is, and leads to the interface', async () => {
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    serveFrontPage(app)
    const { statusCode, headers, body } = await app.inject('/')
    expect(statusCode).to.equal(200)
    expect(headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(body).to.include('<h1>Signed Document Registry</h1>').and.include('href="/docs"')
    await app.close()
  })
})
